/// Rows of the rack itself: traffic by the hour, scaling decisions, blocked lines, events.
///
/// Threads: the writing thread; RackQueries: one thread at a time.
/// Errors:  StorageFailure (inside db) from the writes.
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/upkeep_commands.hpp"

namespace smsrack::db {

void apply(Writer& writer, const ports::KeepGate& command);
void apply(Writer& writer, const ports::KeepDecision& command);
void apply(Writer& writer, const ports::CountTraffic& command);
void apply(Writer& writer, const ports::KeepEvent& command);

class RackQueries final : public ports::RackReader {
public:
    /// `connection` outlives it.
    explicit RackQueries(Connection& connection) : db_(connection) {}

    [[nodiscard]] Result<std::vector<ports::KeptDecision>> decisions(std::size_t limit) override;
    [[nodiscard]] Result<std::vector<ports::HourTraffic>> traffic(std::int64_t first) override;
    [[nodiscard]] Result<std::vector<std::string>> blocked_lines() override;
    [[nodiscard]] Result<std::vector<ports::SelfSmsSent>> self_sms_sent() override;
    [[nodiscard]] Result<std::vector<ports::HistorySeries>> history(
        const ports::HistoryQuestion& question) override;
    [[nodiscard]] Result<ports::FoundLineStates> line_states(
        const ports::LineStatesFilter& filter) override;

private:
    Connection& db_;
};

}  // namespace smsrack::db
