#include "src/trigger/feed_lookups.hpp"

#include "tests/src/trigger/feed_rig.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::NumberTopics;
using ports::PairState;
using ports::TopicId;
using trigger::Wanted;

using Answers = std::vector<std::string>;

namespace {

struct LookupsRig : test::FeedRig {
    std::vector<std::int64_t> to_claim;
    int turns = 0;
    std::optional<trigger::FeedLookups> lookups;

    explicit LookupsRig(bool verify = true)
        : FeedRig({.name = "welcome", .template_text = "x", .verify = verify}) {
        lookups.emplace(desk, store, loop,
                        trigger::FeedLookups::Calls{
                            .claim = [this](Wanted& wanted) { to_claim.push_back(wanted.number); },
                            .turn = [this] { ++turns; }});
    }
    void add(std::int64_t number, std::string_view topic = "paris",
             dedup::Held held = dedup::Held::maybe) {
        lookups->add(*want(number, topic, held));
    }
    /// Its topic has a number.
    void add_named(std::int64_t number) {
        Wanted& wanted = *want(number, "paris", dedup::Held::maybe);
        name("paris", 7);
        lookups->add(wanted);
    }
    void answer_topics(Result<std::vector<TopicId>> ids) {
        (void)store.answer<NumberTopics>(std::move(ids));
        loop.run_all();
    }
    void answer_read() {
        store.answer_read();
        loop.run_all();
    }
};

}  // namespace

TEST_CASE("FeedLookups: only a whole filter says that a pair is new, and only with verify") {
    enum class Goes { to_claim, to_the_index, for_a_number };
    struct Case {
        const char* what;
        bool verify;
        bool named;
        bool loaded;
        dedup::Held held;
        Goes goes;
    };
    for (const Case& c : {
             Case{"surely new", true, true, true, dedup::Held::no, Goes::to_claim},
             Case{"perhaps known", true, true, true, dedup::Held::maybe, Goes::to_the_index},
             Case{"surely known", true, true, true, dedup::Held::yes, Goes::to_the_index},
             Case{"not all is loaded", true, true, false, dedup::Held::no, Goes::to_the_index},
             Case{"without verify", false, true, true, dedup::Held::no, Goes::to_the_index},
             Case{"a new topic", true, false, true, dedup::Held::no, Goes::for_a_number},
             Case{"a new topic without verify", false, false, false, dedup::Held::no,
                  Goes::for_a_number},
         }) {
        CAPTURE(c.what);
        LookupsRig rig(c.verify);
        trigger::Wanted& wanted = *rig.want(1, "paris", c.held);
        if (c.named) {
            rig.name("paris", 7);
        }
        rig.topic("paris").loaded = c.loaded;
        rig.lookups->add(wanted);
        rig.lookups->ask();
        CHECK(rig.to_claim.size() == (c.goes == Goes::to_claim ? 1 : 0));
        CHECK(rig.store.reads.size() == (c.goes == Goes::to_the_index ? 1 : 0));
        CHECK(rig.lookups->is_reading() == (c.goes == Goes::to_the_index));
        CHECK(rig.store.posted<NumberTopics>().size() == (c.goes == Goes::for_a_number ? 1 : 0));
    }
}

TEST_CASE("FeedLookups: the row decides, and what it says is kept") {
    struct Case {
        const char* what;
        std::optional<PairState> row;
        std::chrono::hours age;
        bool claimed;
        bool cached;
        std::uint64_t false_hits;
    };
    for (const Case& c : {
             Case{"no row: the filter was wrong", {}, 0h, true, false, 1},
             Case{"on its way", PairState::claimed, 1h, false, false, 0},
             Case{"on its way for years", PairState::claimed, 20'000h, false, false, 0},
             Case{"sent", PairState::sent, 1h, false, true, 0},
             Case{"in doubt", PairState::doubtful, 1h, false, true, 0},
             Case{"sent, and past its days", PairState::sent, 400h, true, false, 0},
             Case{"failed just now", PairState::failed, 0h, false, false, 0},
             Case{"failed, and free again", PairState::failed, 1h, true, false, 0},
         }) {
        CAPTURE(c.what);
        LookupsRig rig;
        rig.add_named(2);
        const ports::Pair pair{.topic = TopicId{7}, .number = 2};
        if (c.row) {
            rig.store.rows[pair] = {
                .pair = pair, .state = *c.row, .claimed_at = rig.clock.wall() - c.age};
        }
        rig.lookups->ask();
        rig.answer_read();
        CHECK(rig.to_claim.size() == (c.claimed ? 1 : 0));
        CHECK(rig.answers == (c.claimed ? Answers{} : Answers{"1 seen"}));
        CHECK(rig.desk.cache->contains(trigger::key_of(pair)) == c.cached);
        CHECK(rig.shown().false_hits == c.false_hits);
        CHECK(rig.shown().looked_up == 1);
        CHECK(rig.turns == 1);
        CHECK_FALSE(rig.lookups->is_reading());
    }
}

TEST_CASE("FeedLookups: a read that fails is an error of its chunks") {
    LookupsRig rig;
    rig.add_named(1);
    rig.add_named(2);
    rig.lookups->ask();
    rig.store.fail_read();
    rig.loop.run_all();
    CHECK(rig.answers == Answers{"storage", "storage"});
    CHECK(rig.to_claim.empty());
}

TEST_CASE("FeedLookups: two reads run at most; what comes meanwhile is the next, sorted") {
    LookupsRig rig;
    rig.add_named(1);
    rig.lookups->ask();
    rig.add_named(2);
    rig.lookups->ask();
    rig.add_named(9);
    rig.add_named(4);
    rig.add_named(6);
    rig.lookups->ask();
    CHECK(rig.store.reads.size() == 2);
    rig.answer_read();
    rig.lookups->ask();
    rig.answer_read();
    rig.answer_read();
    const auto pair = [](std::int64_t number) {
        return ports::Pair{.topic = TopicId{7}, .number = number};
    };
    REQUIRE(rig.store.asked.size() == 3);
    CHECK(rig.store.asked[2] == std::vector{pair(4), pair(6), pair(9)});
    CHECK(rig.to_claim == std::vector<std::int64_t>{1, 2, 4, 6, 9});
}

TEST_CASE("FeedLookups: a read has 4,096 pairs at most") {
    LookupsRig rig;
    trigger::Chunk& chunk = *rig.desk.open(rig.keep_answer());
    for (std::int64_t number = 1; number <= 4'100; ++number) {
        trigger::Wanted* const wanted = rig.follow(chunk, number, "paris", dedup::Held::maybe);
        rig.name("paris", 7);
        rig.lookups->add(*wanted);
    }
    rig.lookups->ask();
    rig.answer_read();
    rig.answer_read();
    REQUIRE(rig.store.asked.size() == 2);
    CHECK(rig.store.asked[0].size() == 4'096);
    CHECK(rig.store.asked[1].size() == 4);
}

TEST_CASE("FeedLookups: all new topics get their numbers together, one request at a time") {
    LookupsRig rig;
    rig.add(1, "paris");
    rig.add(2, "rome");
    rig.lookups->ask();
    rig.add(3, "nice");
    rig.lookups->ask();
    REQUIRE(rig.store.posted<NumberTopics>().size() == 1);
    const NumberTopics& first = rig.store.posted<NumberTopics>().front().command;
    CHECK(first.trigger == "welcome");
    CHECK(first.names == std::vector<std::string>{"topic:paris", "topic:rome"});
    rig.answer_topics(std::vector{TopicId{7}, TopicId{8}});
    CHECK(rig.topic("paris").view.id == TopicId{7});
    CHECK(rig.turns == 1);
    rig.lookups->ask();
    REQUIRE(rig.store.posted<NumberTopics>().size() == 1);
    CHECK(rig.store.posted<NumberTopics>().front().command.names ==
          std::vector<std::string>{"topic:nice"});
    rig.answer_read();
    CHECK(rig.to_claim == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("FeedLookups: a new topic is loaded at once only where all old ones are known") {
    for (const bool known : {false, true}) {
        CAPTURE(known);
        LookupsRig rig;
        if (known) {
            const std::vector<ports::TopicName> topics{
                {.id = TopicId{5}, .trigger = "welcome", .name = "topic:rome"},
                {.id = TopicId{6}, .trigger = "other", .name = "topic:oslo"}};
            rig.lookups->know(topics);
            CHECK(rig.topic("rome").view.id == TopicId{5});
            CHECK_FALSE(rig.topic("rome").loaded);
            CHECK_FALSE(rig.desk.book.known("oslo"));
        }
        rig.add(1, "paris", dedup::Held::no);
        rig.lookups->ask();
        rig.answer_topics(std::vector{TopicId{7}});
        CHECK(rig.topic("paris").loaded == known);
        CHECK(rig.to_claim.size() == (known ? 1 : 0));
    }
}

TEST_CASE("FeedLookups: a topic without a number makes its events bad, an error fails them") {
    LookupsRig none_left;
    none_left.add(1);
    none_left.lookups->ask();
    none_left.answer_topics(std::vector{TopicId{}});
    CHECK(none_left.answers == Answers{"1 bad"});
    CHECK(none_left.topic("paris").no_number);
    CHECK(none_left.shown().counts.samples.at(0).why == trigger::no_number);

    LookupsRig broken;
    broken.add(1);
    broken.lookups->ask();
    broken.answer_topics(fail(Errc::storage, "the test says so"));
    CHECK(broken.answers == Answers{"storage"});
    CHECK_FALSE(broken.topic("paris").no_number);
    broken.add(1);
    broken.lookups->ask();
    CHECK(broken.store.posted<NumberTopics>().size() == 1);
}

TEST_CASE("FeedLookups: at the end what waits is dropped, and what was asked is answered") {
    LookupsRig rig;
    rig.add_named(1);
    rig.lookups->ask();
    rig.add_named(2);
    rig.add(3, "new");
    rig.lookups->drop_all({.code = Errc::closed});
    CHECK(rig.answers == Answers{"closed", "closed"});
    rig.answer_read();
    CHECK(rig.to_claim == std::vector<std::int64_t>{1});
}

TEST_CASE("FeedLookups: an answer for one that is gone is dropped") {
    LookupsRig rig;
    rig.add_named(1);
    rig.add(2, "new");
    rig.lookups->ask();
    rig.lookups.reset();
    rig.answer_read();
    rig.answer_topics(std::vector{TopicId{9}});
    CHECK(rig.turns == 0);
    CHECK(rig.to_claim.empty());
    CHECK(rig.desk.events_waiting() == 2);
}
