#include "src/trigger/feed_claims.hpp"

#include "tests/src/trigger/feed_rig.hpp"
#include "tests/support/held_store.hpp"
#include "tests/support/quiet_log.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::ClaimPairs;
using ports::PairState;
using trigger::WaitingFor;

using Answers = std::vector<std::string>;
using Claimed = std::vector<Result<ports::Claimed>>;

namespace {

constexpr std::int64_t recipient = 33'612'345'678;

struct ClaimsRig : test::FeedRig {
    test::HeldStore messages;
    test::QuietLog log;
    intake::Intake intake{{.groups = {"default"}}, messages, clock};
    std::vector<SteadyTime> alarms;
    trigger::EngineParts parts{store, intake, loop,
                               clock, log,    [this](SteadyTime at) { alarms.push_back(at); }};
    int turns = 0;
    std::optional<trigger::FeedClaims> claims;

    explicit ClaimsRig(trigger::TriggerSettings settings = {.name = "welcome",
                                                            .template_text = "Hi, {topic}"})
        : FeedRig(std::move(settings)) {
        claims.emplace(desk, parts, [this] { ++turns; });
    }
    void add(std::int64_t to, SteadyTime fresh_until = never) {
        trigger::Wanted& wanted = *want(to, "paris", dedup::Held::no, fresh_until);
        name("paris", 7);
        claims->add(wanted);
    }
    void claim(std::int64_t to) {
        add(to);
        claims->claim();
    }
    std::deque<ports::Posted<ClaimPairs>>& posted() { return store.posted<ClaimPairs>(); }
    void answer(Result<Claimed> with) {
        (void)store.answer<ClaimPairs>(std::move(with));
        loop.run_all();
    }
    void answer_one(Result<ports::Claimed> with) {
        Claimed all;
        all.push_back(std::move(with));
        answer(std::move(all));
    }
    [[nodiscard]] ports::PairRow row(PairState state = PairState::claimed) const {
        return {.pair = {.topic = ports::TopicId{7}, .number = recipient},
                .state = state,
                .claimed_at = clock.wall()};
    }
    [[nodiscard]] trigger::TriggerView shown_claims() const {
        trigger::TriggerView view;
        claims->show(view);
        return view;
    }
};

}  // namespace

TEST_CASE("FeedClaims: a claim has the pair, its rules, and the message as the trigger says") {
    ClaimsRig rig({.name = "welcome",
                   .template_text = "Hi, {topic}",
                   .batch = 30s,
                   .level = Level{5},
                   .per_minute = 12});
    rig.clock.set_date(WallTime(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 7s));
    rig.claim(recipient);
    REQUIRE(rig.posted().size() == 1);
    const ports::Claim& claim = rig.posted().front().command.claims.at(0);
    CHECK(claim.pair == rig.row().pair);
    CHECK(claim.rules.forgotten_before == rig.desk.rules().forgotten_before);
    CHECK(claim.rules.failed_before == rig.desk.rules().failed_before);
    CHECK(claim.trigger == "welcome");
    CHECK(claim.per_minute == 12);
    CHECK(claim.message.body.to == "+33612345678");
    CHECK(claim.message.body.text == "Hi, paris");
    CHECK(claim.message.level == 5);
    CHECK(claim.message.batch == "welcome:2026-11-21");
    CHECK(claim.message.not_before == rig.clock.wall() + 23s);
    CHECK(rig.claims->is_claiming());
}

TEST_CASE("FeedClaims: sixteen pairs share a transaction, and eight are under way") {
    ClaimsRig rig;
    trigger::Chunk& chunk = *rig.desk.open(rig.keep_answer());
    std::vector<trigger::Wanted*> wanted;
    constexpr std::int64_t pairs = 9 * 16;
    for (std::int64_t i = 0; i < pairs; ++i) {
        wanted.push_back(rig.follow(chunk, recipient + i));
    }
    rig.name("paris", 7);
    for (trigger::Wanted* const one : wanted) {
        rig.claims->add(*one);
    }
    rig.claims->claim();
    REQUIRE(rig.posted().size() == 8);
    std::int64_t next = recipient;
    for (const auto& one : rig.posted()) {
        CHECK(one.command.claims.size() == 16);
        CHECK(one.command.claims.front().pair.number == next);
        next += 16;
    }
    rig.answer(fail(Errc::storage, "the test says so"));
    CHECK(rig.turns == 1);
    rig.claims->claim();
    REQUIRE(rig.posted().size() == 8);
    CHECK(rig.posted().back().command.claims.front().pair.number == recipient + 8 * 16);
}

TEST_CASE("FeedClaims: what the store answers is the verdict") {
    struct Case {
        const char* what;
        std::optional<Errc> error;
        bool fresh;
        const char* verdict;
    };
    for (const Case& c : {
             Case{"its message was made", {}, true, "1 new"},
             Case{"its row prevents it", {}, false, "1 seen"},
             Case{"a rule", Errc::forbidden, false, "1 refused"},
             Case{"a cancelled batch", Errc::conflict, false, "1 refused"},
             Case{"the same text again", Errc::duplicate, false, "1 refused"},
             Case{"the event's fault", Errc::bad_request, false, "1 bad"},
             Case{"its number", Errc::bad_number, false, "1 bad"},
             Case{"its text", Errc::bad_encoding, false, "1 bad"},
             Case{"its length", Errc::too_long, false, "1 bad"},
             Case{"the disk", Errc::storage, false, "storage"},
         }) {
        CAPTURE(c.what);
        ClaimsRig rig;
        rig.claim(recipient);
        if (c.error) {
            rig.answer_one(fail(*c.error, "why"));
        } else {
            rig.answer_one(ports::Claimed{.fresh = c.fresh, .row = rig.row()});
        }
        CHECK(rig.answers == Answers{c.verdict});
        CHECK_FALSE(rig.claims->is_claiming());
        CHECK(rig.claims->step(rig.clock.steady()) == never);
        CHECK(rig.turns == 1);
    }
}

TEST_CASE("FeedClaims: with verify the filter learns a new pair, and the cache one that was sent") {
    for (const bool verify : {true, false}) {
        for (const bool fresh : {true, false}) {
            CAPTURE(verify);
            CAPTURE(fresh);
            ClaimsRig rig({.name = "welcome", .template_text = "x", .verify = verify});
            rig.claim(recipient);
            const auto row = rig.row(fresh ? PairState::claimed : PairState::sent);
            rig.answer_one(ports::Claimed{.fresh = fresh, .row = row});
            const dedup::PairKey key = trigger::key_of(row.pair);
            CHECK((rig.desk.filters->find(key) != dedup::Held::no) == (verify == fresh));
            CHECK(rig.desk.cache->contains(key) == (verify && !fresh));
        }
    }
}

TEST_CASE("FeedClaims: what the intake refuses never reaches the store") {
    ClaimsRig rig({.name = "welcome", .template_text = "x", .group = "none"});
    rig.claim(recipient);
    CHECK(rig.posted().empty());
    CHECK(rig.answers == Answers{"1 bad"});
}

TEST_CASE("FeedClaims: an event that became too old while it waited is not claimed") {
    ClaimsRig rig;
    rig.add(recipient, rig.clock.steady() + 1s);
    rig.add(recipient + 1, rig.clock.steady() + 3s);
    rig.clock.advance(2s);
    rig.claims->claim();
    CHECK(rig.answers == Answers{"1 too_old"});
    REQUIRE(rig.posted().size() == 1);
    CHECK(rig.posted().front().command.claims.at(0).pair.number == recipient + 1);
}

TEST_CASE("FeedClaims: what the store can't take now waits as long as it says, within bounds") {
    struct Case {
        Errc why;
        std::optional<std::chrono::milliseconds> said;
        std::chrono::milliseconds waits;
        WaitingFor waiting_for;
    };
    for (const Case& c : {
             Case{Errc::queue_full, {}, 1s, WaitingFor::capacity},
             Case{Errc::busy, 1ms, 20ms, WaitingFor::capacity},
             Case{Errc::overloaded, 5s, 5s, WaitingFor::overload},
             Case{Errc::overloaded, 1h, 30s, WaitingFor::overload},
         }) {
        CAPTURE(c.waits.count());
        ClaimsRig rig;
        rig.claim(recipient);
        rig.answer_one(std::unexpected(Error{.code = c.why, .retry_after = c.said}));
        const SteadyTime due = rig.clock.steady() + c.waits;
        CHECK(rig.alarms == std::vector{due});
        CHECK(rig.answers.empty());
        CHECK(rig.shown_claims().waiting_for == c.waiting_for);
        CHECK(rig.shown_claims().retry_after == c.waits);
        CHECK(rig.claims->step(due - 1ms) == due);
        rig.claim(recipient + 1);
        CHECK(rig.posted().empty());

        rig.clock.advance(c.waits);
        CHECK(rig.claims->step(rig.clock.steady()) == never);
        REQUIRE(rig.posted().size() == 1);
        const auto& claims = rig.posted().front().command.claims;
        REQUIRE(claims.size() == 2);
        CHECK(claims[0].pair.number == recipient);
        CHECK(claims[1].pair.number == recipient + 1);
        CHECK_FALSE(rig.shown_claims().retry_after);
        Claimed both;
        both.emplace_back(ports::Claimed{.fresh = true, .row = rig.row()});
        both.emplace_back(ports::Claimed{.fresh = true, .row = rig.row()});
        rig.answer(std::move(both));
        CHECK(rig.answers == Answers{"1 new", "1 new"});
        CHECK(rig.shown_claims().waiting_for == WaitingFor::nothing);
    }
}

TEST_CASE("FeedClaims: of one transaction some may wait while others are decided") {
    ClaimsRig rig;
    for (int i = 0; i < 3; ++i) {
        rig.add(recipient + i);
    }
    rig.claims->claim();
    Claimed answers;
    answers.emplace_back(fail(Errc::queue_full, "later"));
    answers.emplace_back(ports::Claimed{.fresh = true, .row = rig.row()});
    answers.emplace_back(fail(Errc::queue_full, "later"));
    rig.answer(std::move(answers));
    CHECK(rig.answers == Answers{"1 new"});
    rig.add(recipient + 3);
    rig.clock.advance(1s);
    rig.claims->claim();
    std::vector<std::int64_t> order;
    for (const ports::Claim& claim : rig.posted().front().command.claims) {
        order.push_back(claim.pair.number - recipient);
    }
    CHECK(order == std::vector<std::int64_t>{0, 2, 3});
}

TEST_CASE("FeedClaims: a message counts as ahead until it is due, if it is of that batch") {
    struct Case {
        const char* what;
        Result<ports::Claimed> answer;
        std::uint64_t ahead;
    };
    const ports::PairRow row{.pair = {.topic = ports::TopicId{7}, .number = recipient}};
    const auto due = [](const ClaimsRig& rig) {
        return trigger::TriggerSettings{}.batch +
               std::chrono::floor<std::chrono::seconds>(rig.clock.wall());
    };
    for (const Case& c : {
             Case{"its batch", ports::Claimed{.fresh = true, .row = row}, 1},
             Case{"a later minute",
                  ports::Claimed{.fresh = true, .row = row, .due_at = WallTime::max()}, 0},
             Case{"no message", ports::Claimed{.fresh = false}, 0},
             Case{"refused", fail(Errc::forbidden, "why"), 0},
             Case{"to be claimed again", fail(Errc::queue_full, "why"), 0},
         }) {
        CAPTURE(c.what);
        ClaimsRig rig;
        rig.claim(recipient);
        CHECK(rig.shown_claims().ahead == 1);
        rig.answer_one(c.answer);
        CHECK(rig.shown_claims().ahead == c.ahead);
        rig.clock.advance(due(rig) - rig.clock.wall());
        CHECK(rig.shown_claims().ahead == 0);
    }
}

TEST_CASE("FeedClaims: the label of the last message is shown, a repeat's is not") {
    ClaimsRig rig;
    rig.claim(recipient);
    rig.answer_one(ports::Claimed{.fresh = true, .row = rig.row(), .batch = "welcome:a.2"});
    rig.claim(recipient);
    rig.answer_one(ports::Claimed{.fresh = false, .row = rig.row(), .batch = "welcome:a.3"});
    CHECK(rig.shown().batch_label == "welcome:a.2");
}

TEST_CASE("FeedClaims: at the end what waits is dropped, and a transaction under way is answered") {
    ClaimsRig rig;
    rig.claim(recipient);
    rig.add(recipient + 1);
    rig.claims->drop_all({.code = Errc::closed});
    CHECK(rig.answers == Answers{"closed"});
    rig.answer_one(ports::Claimed{.fresh = true, .row = rig.row()});
    CHECK(rig.answers == Answers{"closed", "1 new"});
}

TEST_CASE("FeedClaims: an answer for one that is gone is dropped") {
    ClaimsRig rig;
    rig.claim(recipient);
    rig.claims.reset();
    rig.answer_one(ports::Claimed{.fresh = true, .row = rig.row()});
    CHECK(rig.turns == 0);
    CHECK(rig.answers.empty());
}
