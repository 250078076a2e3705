/// All that the dispatcher asks of the store. What the store answers comes back as mail.
///
/// A write without a time of its own is dated by the clock when it is called.
/// Threads: the dispatch thread; answers are handed over from the store's.
/// Errors:  what a full disk refuses insists in the store, or the next sweep finds it.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/mailbox.hpp"
#include "src/dispatch/dispatch_mail.hpp"
#include "src/ports/control_store.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/store.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace smsrack::dispatch {

/// Before the store is asked again after it refused.
inline constexpr std::chrono::seconds storage_pause{1};

class DispatchStore {
public:
    /// Rows of one answer: what is decided about them is written at once.
    static constexpr std::size_t doubts_limit = 64;

    /// All outlive the object. `control` null: nothing is paused or cancelled; `rack` null: gates
    /// are not kept.
    DispatchStore(ports::Store& store, ports::ControlStore* control, ports::RackStore* rack,
                  const Clock& clock, Mailbox<DispatchMail>& mailbox)
        : store_(store), control_(control), rack_(rack), clock_(clock), mailbox_(mailbox) {}

    // -- reading; `group` is an index
    /// Answered by Loaded.
    void read_queued(std::uint16_t group, GroupId id, Level level, EventSeq after,
                     std::size_t limit);
    /// Answered by DueTaken.
    void take_due(WallTime now, std::vector<ports::DueWishes::Retries> wishes);
    /// Answered by NextDue.
    void read_next_due(WallTime after);
    /// Answered by OverdueUncertain.
    void read_doubts(WallTime overdue_at);

    // -- messages that are not on a line
    void end(ports::EndAttempt end) { store_.post(std::move(end)); }
    /// What is decided about OverdueUncertain; `last` of it is answered by DoubtsDecided.
    void end_doubt(ports::EndAttempt end, bool last);
    void resend(const ports::UncertainAttempt& doubt, bool last);
    /// Ends a message that has no attempt in flight. Answered by Finished.
    void finish(queue::SlotNumber slot, MessageId message, MessageEvent event, std::string detail);
    /// All of its segments are sent again, from `due_at` on.
    void restart(MessageId message, std::string detail, WallTime due_at);
    /// Between two attempts it waits in the store. Answered by DueHint with the time when it is due.
    void put_off(MessageId message, WallTime until);
    void put_back(MessageId message);

    // -- housekeeping
    /// Answered by SweepOn where there is more.
    void expire_overdue();
    /// Answered by CancelOn where there is more.
    void cancel_batches();
    /// Answered by TimesMoved.
    void move_times(const ClockMove& move);
    void keep_event(EventType type, std::string modem, std::string detail);

    /// A gate that the operator shut or opened holds over a restart before it is answered; `keep`
    /// false: it need not be kept.
    void answer_gate(const std::string& modem, bool keep, ports::GateAnswer answer,
                     ports::GateDone done);
    [[nodiscard]] bool has_control() const { return control_ != nullptr; }

private:
    ports::Store& store_;
    ports::ControlStore* const control_;
    ports::RackStore* const rack_;
    const Clock& clock_;
    Mailbox<DispatchMail>& mailbox_;
};

}  // namespace smsrack::dispatch
