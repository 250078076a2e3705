/// Questions to the exact index of pairs.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db); PairQueries: storage.
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/trigger_store.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::db {

/// trigger_pairs.claimed_at.
[[nodiscard]] inline std::int64_t seconds_of(WallTime at) {
    return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

/// trigger_pairs.number, of a recipient.
[[nodiscard]] inline std::int64_t number_of(std::string_view e164) {
    std::int64_t number = 0;
    (void)std::from_chars(e164.data() + 1, e164.data() + e164.size(), number);
    return number;
}

/// trigger_minutes.minute.
[[nodiscard]] inline std::int64_t minute_of(WallTime at) {
    return std::chrono::floor<std::chrono::minutes>(at).time_since_epoch().count();
}

[[nodiscard]] std::optional<ports::PairRow> find_pair(Connection& db, const ports::Pair& pair);

class PairQueries final : public ports::TriggerReader {
public:
    explicit PairQueries(Connection& db) : db_(db) {}

    [[nodiscard]] Result<std::vector<std::optional<ports::PairRow>>> find(
        std::span<const ports::Pair> pairs) override;
    [[nodiscard]] Result<std::vector<ports::PairRow>> pairs(ports::Pair after,
                                                            std::size_t limit) override;
    [[nodiscard]] Result<std::vector<ports::TopicName>> topics() override;

private:
    Connection& db_;
};

}  // namespace smsrack::db
