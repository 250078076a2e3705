/// Rows of the rack itself: traffic by the hour, scaling decisions, blocked lines.
///
/// Threads: the writing thread; RackQueries: one thread at a time.
/// Errors:  StorageFailure (inside db) from the writes.
#pragma once

#include "db/connection.hpp"
#include "db/ledger.hpp"
#include "src/ports/rack_store.hpp"
#include "src/sms/event.hpp"

namespace smsrack::db {

void keep_gate(Connection& db, const std::string& line, bool blocked, WallTime at);
/// And its event.
void keep_decision(Connection& db, Ledger& ledger, const ports::KeptDecision& decision);
void count_traffic(Connection& db, const ports::HourTraffic& traffic);

class RackQueries final : public ports::RackReader {
public:
    /// `connection` outlives it.
    explicit RackQueries(Connection& connection) : db_(connection) {}

    [[nodiscard]] Result<std::vector<ports::KeptDecision>> decisions(std::size_t limit) override;
    [[nodiscard]] Result<std::vector<ports::HourTraffic>> traffic(std::int64_t first) override;
    [[nodiscard]] Result<std::vector<std::string>> blocked_lines() override;
    [[nodiscard]] Result<std::vector<ports::SelfSmsSent>> self_sms_sent() override;

private:
    Connection& db_;
};

/// Where no connection could be had.
class UnreadableRack final : public ports::RackReader {
public:
    explicit UnreadableRack(Error why) : why_(std::move(why)) {}

    [[nodiscard]] Result<std::vector<ports::KeptDecision>> decisions(std::size_t) override {
        return std::unexpected(why_);
    }
    [[nodiscard]] Result<std::vector<ports::HourTraffic>> traffic(std::int64_t) override {
        return std::unexpected(why_);
    }
    [[nodiscard]] Result<std::vector<std::string>> blocked_lines() override {
        return std::unexpected(why_);
    }
    [[nodiscard]] Result<std::vector<ports::SelfSmsSent>> self_sms_sent() override {
        return std::unexpected(why_);
    }

private:
    const Error why_;
};

}  // namespace smsrack::db
