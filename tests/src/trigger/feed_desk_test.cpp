#include "src/trigger/feed_desk.hpp"

#include "tests/src/trigger/feed_rig.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::PairState;
using trigger::Verdict;

using Answers = std::vector<std::string>;

TEST_CASE("FeedDesk: a chunk is answered when all its events are decided, and not before") {
    test::FeedRig rig;
    trigger::Chunk& chunk = *rig.desk.open(rig.keep_answer());
    const std::uint64_t id = chunk.id;
    rig.desk.count(chunk, {.chunk = id, .line = 9}, Verdict::bad, "no number");
    CHECK(chunk.counts.samples.at(0).line == 9);
    trigger::Wanted& first = *rig.follow(chunk, 1);
    trigger::Wanted& second = *rig.follow(chunk, 2);
    CHECK(rig.desk.events_waiting() == 2);
    rig.desk.close_one(id);
    rig.desk.resolve(second, Verdict::fresh);
    CHECK(rig.answers.empty());
    CHECK_FALSE(rig.desk.idle());
    rig.desk.resolve(first, Verdict::refused, "forbidden");
    CHECK(rig.answers == Answers{"1 new, 1 refused, 1 bad"});
    CHECK(rig.desk.idle());
    CHECK(rig.desk.events_waiting() == 0);
    CHECK(rig.shown().counts.of(Verdict::bad) == 1);
    CHECK(rig.shown().counts.samples.back().why == "forbidden");
}

TEST_CASE("FeedDesk: later events of a pair wait with the first one, which alone gets new") {
    test::FeedRig rig;
    trigger::Wanted* const wanted = rig.want(1, "paris", dedup::Held::maybe, SteadyTime(5s));
    REQUIRE(wanted != nullptr);
    CHECK(rig.want(1, "paris", dedup::Held::no, SteadyTime(9s)) == nullptr);
    CHECK(rig.want(1, "paris", dedup::Held::no, SteadyTime(7s)) == nullptr);
    CHECK(rig.want(1, "rome") != nullptr);
    CHECK(wanted->fresh_until == SteadyTime(9s));
    CHECK(wanted->held == dedup::Held::maybe);
    CHECK(rig.desk.events_waiting() == 4);
    rig.desk.resolve(*wanted, Verdict::fresh);
    CHECK(rig.answers == Answers{"1 new", "1 seen", "1 seen"});
    CHECK(rig.topic("paris").view.fresh == 1);
    CHECK(rig.topic("paris").view.seen == 2);
    CHECK(rig.topic("rome").view.fresh == 0);
    CHECK(rig.desk.events_waiting() == 1);
}

TEST_CASE("FeedDesk: a verdict other than new is that of all who wait") {
    for (const Verdict verdict :
         {Verdict::seen, Verdict::refused, Verdict::bad, Verdict::too_old}) {
        test::FeedRig rig;
        trigger::Wanted& wanted = *rig.want(1);
        CHECK(rig.want(1) == nullptr);
        rig.desk.resolve(wanted, verdict);
        const std::string one =
            "1 " + std::string(trigger::verdict_names.at(static_cast<std::size_t>(verdict)));
        CHECK(rig.answers == Answers{one, one});
    }
}

TEST_CASE("FeedDesk: an error answers the whole chunk, once nothing of it is under way") {
    test::FeedRig rig;
    trigger::Chunk& chunk = *rig.desk.open(rig.keep_answer());
    const std::uint64_t id = chunk.id;
    trigger::Wanted& failed = *rig.follow(chunk, 1);
    trigger::Wanted& decided = *rig.follow(chunk, 2);
    rig.desk.close_one(id);
    rig.desk.drop(failed, {.code = Errc::storage});
    CHECK(rig.answers.empty());
    rig.desk.resolve(decided, Verdict::fresh);
    CHECK(rig.answers == Answers{"storage"});
    CHECK(rig.shown().counts.of(Verdict::fresh) == 1);
}

TEST_CASE("FeedDesk: chunks_max may wait; who was refused hears once that there is room") {
    test::FeedRig rig;
    int room = 0;
    rig.desk.on_room([&] { ++room; });
    std::vector<trigger::Wanted*> waiting;
    for (std::size_t i = 0; i < trigger::chunks_max; ++i) {
        waiting.push_back(rig.want(static_cast<std::int64_t>(i)));
    }
    rig.desk.resolve(*waiting[0], Verdict::fresh);
    CHECK(room == 0);
    CHECK(rig.want(100) != nullptr);
    CHECK(rig.desk.open(rig.keep_answer()) == nullptr);
    rig.desk.resolve(*waiting[1], Verdict::fresh);
    rig.desk.resolve(*waiting[2], Verdict::fresh);
    CHECK(room == 1);
    CHECK(rig.answers.size() == 3);
}

TEST_CASE("FeedDesk: an answer may bring the same pair and a new topic again") {
    test::FeedRig rig;
    trigger::Wanted* again = nullptr;
    const trigger::Chunk& chunk = *rig.desk.open([&](auto) {
        CHECK(rig.want(1, "rome") != nullptr);
        again = rig.want(1);
    });
    const std::uint64_t id = chunk.id;
    trigger::Wanted& wanted = *rig.follow(chunk, 1);
    rig.desk.close_one(id);
    CHECK(rig.want(1) == nullptr);
    rig.desk.resolve(wanted, Verdict::fresh);
    REQUIRE(again != nullptr);
    CHECK(rig.answers == Answers{"1 seen"});
    rig.desk.resolve(*again, Verdict::seen);
    CHECK(rig.answers == Answers{"1 seen", "1 seen"});
    CHECK(rig.topic("paris").view.seen == 2);
}

TEST_CASE("FeedDesk: a failed pair is free again after recent_s only where the trigger says so") {
    for (const trigger::OnFailed on_failed :
         {trigger::OnFailed::release, trigger::OnFailed::webhook, trigger::OnFailed::keep}) {
        test::FeedRig rig({.name = "welcome",
                           .template_text = "x",
                           .retain = std::chrono::days(3),
                           .recent = 60s,
                           .on_failed = on_failed});
        const WallTime now = rig.clock.wall();
        CHECK(rig.desk.rules().forgotten_before == now - std::chrono::days(3));
        CHECK(rig.desk.rules().failed_before ==
              (on_failed == trigger::OnFailed::release ? std::optional(now - 60s) : std::nullopt));
    }
}

TEST_CASE("FeedDesk: a row is learned when its message can't be undone: by cache or filter") {
    for (const bool verify : {true, false}) {
        for (const PairState state :
             {PairState::claimed, PairState::sent, PairState::failed, PairState::doubtful}) {
            CAPTURE(verify);
            CAPTURE(static_cast<int>(state));
            test::FeedRig rig({.name = "welcome", .template_text = "x", .verify = verify});
            const ports::Pair pair{.topic = ports::TopicId{3}, .number = 33'612'345'678};
            rig.desk.learn({.pair = pair, .state = state});
            const bool sure = state == PairState::sent || state == PairState::doubtful;
            CHECK(rig.desk.cache->contains(trigger::key_of(pair)) == (sure && verify));
            CHECK((rig.desk.filters->find(trigger::key_of(pair)) != dedup::Held::no) ==
                  (sure && !verify));
        }
    }
}
