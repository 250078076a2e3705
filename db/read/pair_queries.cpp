#include "db/read/pair_queries.hpp"

namespace smsrack::db {
namespace {

WallTime time_of_seconds(std::int64_t seconds) {
    return WallTime(std::chrono::seconds(seconds));
}

}  // namespace

std::optional<ports::PairRow> find_pair(Connection& db, const ports::Pair& pair) {
    ports::PairRow row{.pair = pair};
    std::int64_t seconds = 0;
    if (!db.first(
            std::tie(seconds, row.state, row.message),
            "SELECT claimed_at, state, message FROM trigger_pairs WHERE topic = ? AND number = ?",
            pair.topic, pair.number)) {
        return std::nullopt;
    }
    row.claimed_at = time_of_seconds(seconds);
    return row;
}

/// One transaction for all, so that they take one look at the log's index and not one each.
Result<std::vector<std::optional<ports::PairRow>>> PairQueries::find(
    std::span<const ports::Pair> pairs) {
    const auto found = guarded([&] {
        std::vector<std::optional<ports::PairRow>> rows;
        rows.reserve(pairs.size());
        db_.run("BEGIN");
        for (const ports::Pair& pair : pairs) {
            rows.push_back(find_pair(db_, pair));
        }
        return rows;
    });
    db_.roll_back();
    return found;
}

Result<std::vector<ports::PairRow>> PairQueries::pairs(ports::Pair after, std::size_t limit) {
    const auto read = [](const Rows& columns) {
        ports::PairRow row;
        std::int64_t seconds = 0;
        columns.read(row.pair.topic, row.pair.number, seconds, row.state, row.message);
        row.claimed_at = time_of_seconds(seconds);
        return row;
    };
    return guarded([&] {
        return db_.all(read,
                       "SELECT topic, number, claimed_at, state, message FROM trigger_pairs WHERE "
                       "(topic, number) > (?, ?) ORDER BY topic, number LIMIT ?",
                       after.topic, after.number, limit);
    });
}

Result<std::vector<ports::TopicName>> PairQueries::topics() {
    const auto read = [](const Rows& row) {
        ports::TopicName topic;
        std::optional<std::int64_t> retain_s;
        row.read(topic.id, topic.trigger, topic.name, retain_s);
        if (retain_s) {
            topic.retain = std::chrono::seconds(*retain_s);
        }
        return topic;
    };
    return guarded([&] {
        return db_.all(read,
                       "SELECT id, trigger_topics.of, name, retain_s FROM trigger_topics LEFT JOIN "
                       "trigger_days ON trigger_days.of = trigger_topics.of ORDER BY id");
    });
}

}  // namespace smsrack::db
