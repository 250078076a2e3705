#include "tools/bench/dedup_index.hpp"

#include "db/engine/connection.hpp"
#include "src/trigger/topic_book.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string_view>

namespace smsrack::bench {
namespace {

constexpr std::uint64_t rows_of_transaction = 200'000;
constexpr std::int64_t sent = 1;  // ports::PairState

void fill_topic(db::Connection& db, std::int64_t id, std::uint32_t topic, std::int64_t claimed_at,
                const DedupWork& work) {
    for (std::uint64_t n = 0; n < work.numbers; n += rows_of_transaction) {
        db.run("BEGIN IMMEDIATE");
        const std::uint64_t end = std::min(work.numbers, n + rows_of_transaction);
        for (std::uint64_t i = n; i < end; ++i) {
            const auto number =
                static_cast<std::int64_t>(work.pair(i * work.topics + topic).number);
            db.run(
                "INSERT OR IGNORE INTO trigger_pairs (topic, number, claimed_at, state, message) "
                "VALUES (?, ?, ?, ?, 0)",
                id, number, claimed_at, sent);
        }
        db.run("COMMIT");
    }
}

}  // namespace

std::string topic_name(std::uint32_t topic) {
    return fmt::format("t{:02}", topic);
}

Result<> fill_index(const std::filesystem::path& database, const std::string& of,
                    const DedupWork& work) {
    auto db = db::Connection::open(database, {.cache_kib = 64 * 1024});
    if (!db) {
        return std::unexpected(db.error());
    }
    const auto day_ago = std::chrono::system_clock::now() - std::chrono::hours(24);
    const std::int64_t claimed_at =
        std::chrono::duration_cast<std::chrono::seconds>(day_ago.time_since_epoch()).count();
    for (std::uint32_t topic = 0; topic < work.topics; ++topic) {
        const std::string stored = trigger::stored_topic(topic_name(topic));
        (*db)->run("INSERT OR IGNORE INTO trigger_topics (of, name) VALUES (?, ?)", of, stored);
        const auto id = (*db)->scalar<std::int64_t>(
            "SELECT id FROM trigger_topics WHERE of = ? AND name = ?", 0, of, stored);
        if (id == 0) {
            return fail(Errc::storage, "topic " + topic_name(topic));
        }
        fill_topic(**db, id, topic, claimed_at, work);
    }
    (void)(*db)->checkpoint();
    return {};
}

}  // namespace smsrack::bench
