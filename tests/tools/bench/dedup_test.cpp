#include "db/engine/migrate.hpp"
#include "db/read/pair_queries.hpp"
#include "src/trigger/topic_book.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/bench/dedup_index.hpp"
#include "tools/bench/dedup_work.hpp"

#include <doctest/doctest.h>

#include <unordered_set>
#include <vector>

namespace smsrack::bench {
namespace {

using dedup::PairKey;

constexpr DedupWork work{.topics = 3, .numbers = 5'000};

std::vector<PairKey> all_pairs() {
    std::vector<PairKey> pairs;
    for (std::uint64_t serial = 0; serial < work.pairs(); ++serial) {
        pairs.push_back(work.pair(serial));
    }
    return pairs;
}

}  // namespace

TEST_CASE("bench dedup: all pairs differ, and none is among the absent ones") {
    std::unordered_set<PairKey, dedup::PairKeyHash> met;
    for (const PairKey& pair : all_pairs()) {
        REQUIRE(dedup::is_pair(pair));
        REQUIRE(met.insert(pair).second);
    }
    for (std::uint64_t serial = 0; serial < 10'000; ++serial) {
        REQUIRE(dedup::is_pair(work.absent(serial)));
        REQUIRE(met.insert(work.absent(serial)).second);
    }
}

TEST_CASE("bench dedup: of a feed as many events are repeats as are asked for") {
    std::unordered_set<PairKey, dedup::PairKeyHash> known;
    for (const PairKey& pair : all_pairs()) {
        known.insert(pair);
    }
    DedupEvents feed(work, 1);
    std::vector<PairKey> batch(100'000);
    feed.fill(batch);
    std::uint64_t repeats = 0;
    for (const PairKey& event : batch) {
        repeats += known.contains(event) ? 1 : 0;
    }
    // Binomial, standard deviation 69: six of them.
    CHECK(repeats > 95'000 - 414);
    CHECK(repeats < 95'000 + 414);
}

TEST_CASE("bench dedup: the index that it fills is one that the service knows") {
    const test::TempDir folder;
    const auto file = folder.path() / "smsrack.db";
    const auto db = db::Connection::open(file, {.may_create = true}).value();
    REQUIRE(db::migrate(*db, db::migrations()));
    REQUIRE(fill_index(file, "bench", work));
    trigger::Topics topics;
    for (std::uint32_t topic = 0; topic < work.topics; ++topic) {
        topics.push_back({.name = topic_name(topic)});
    }
    const trigger::TriggerSettings settings{.template_text = "x", .topics = topics};
    trigger::TopicBook book(settings);
    db::PairQueries queries(*db);
    const auto names = queries.topics().value();
    for (const ports::TopicName& topic : names) {
        CHECK(topic.trigger == "bench");
        const auto place = book.know(topic.name);
        REQUIRE(place);
        book.number(*place, topic.id);
    }
    for (const PairKey& pair : all_pairs()) {
        const auto place = book.find(topic_name(pair.topic));
        REQUIRE(place);
        const ports::Pair asked{.topic = book.pair_topic(place->pair_topic).view.id,
                                .number = static_cast<std::int64_t>(pair.number)};
        REQUIRE(queries.find(std::span(&asked, 1)).value().front());
    }
}

}  // namespace smsrack::bench
