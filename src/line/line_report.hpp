/// What a line says of itself: in the table of lines, in the log, and in the event log.
///
/// Decides only what is news: a SIM that is nearly full is reported once until it was emptied, and a line
/// that was adopted while it was ready has become nothing new.
/// Threads: the line's thread.
/// Errors:  none; an event that the store cannot keep is lost.
#pragma once

#include "src/base/log.hpp"
#include "src/line/line_board.hpp"
#include "src/line/slot_seat.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::line {

class LineReport {
public:
    /// `board`, `store`, `clock` and `log` outlive this object.
    LineReport(ModemId id, std::string name, LineBoard& board, ports::Store& store,
               const Clock& clock, Log& log)
        : id_(id), name_(std::move(name)), board_(board), store_(store), clock_(clock), log_(log) {}

    // -- the link
    /// `woke_in`: how long that took, where its radio was switched on.
    void ready(std::optional<std::chrono::nanoseconds> woke_in);
    /// `is_meant`: its radio is being switched on, so this is no trouble.
    void lost(const ports::ModemNotReady& why, bool is_meant);
    /// It has been lost for too long.
    void stopped();
    void asleep(WallTime listens_at);
    /// The SIM cannot be looked up.
    void store_failed(const Error& error);

    // -- modem and SIM
    void incident(ports::Incident kind);
    /// Another modem or another SIM than the last time.
    void seat(const ports::SlotSeen& seen, const ports::SlotKnown& before,
              const SlotVerdict& verdict);
    /// Another box of the fleet, or another slot, has this SIM, too.
    void sim_elsewhere(const std::string& where);
    void quota(const QuotaNews& news);
    /// The store has refused a segment for the quota, of which this line knew nothing.
    void quota_refused(std::string_view window);
    void sim_storage(const ports::SimStorage& storage);
    void pin_refused();
    void command_begins(const ports::HandOrder& order);

    // -- from one process to the next
    [[nodiscard]] bool sim_nearly_full() const { return sim_nearly_full_; }
    void adopt(bool sim_nearly_full, bool was_ready) {
        sim_nearly_full_ = sim_nearly_full;
        was_ready_ = was_ready;
    }

private:
    void event(std::string state);

    const ModemId id_;
    const std::string name_;
    LineBoard& board_;
    ports::Store& store_;
    const Clock& clock_;
    Log& log_;
    bool sim_nearly_full_ = false;  // reported
    bool was_ready_ = false;        // in the process before, and not ready since
};

}  // namespace smsrack::line
