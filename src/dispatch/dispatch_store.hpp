/// All that the dispatcher asks of the store. What the store answers comes back as mail.
///
/// A write without a time of its own is dated by the clock when it is called.
/// Threads: the dispatch thread; answers are handed over from the store's.
/// Errors:  storage comes back as EndNotKept, NotDropped or NotPutOff where the dispatcher must
///          repeat the write.
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
    /// Answered by EndNotKept where the disk is full. `moves`: of the clock so far.
    void end(ports::EndAttempt end, std::size_t moves);
    /// Ends a message that has no attempt in flight.
    void finish(MessageId message, MessageEvent event, std::string detail);
    /// Its SIM is lost: it fails, or with `again` all of it is sent again. Answered by NotDropped
    /// where the disk is full.
    void drop(MessageId message, bool again);
    /// Between two attempts it waits in the store. Answered by DueHint with the time when it is due,
    /// or by NotPutOff where the disk is full. `message.moves`: of the clock so far.
    void put_off(const NotPutOff& message);
    void put_back(MessageId message);
    void resend(const ports::UncertainAttempt& doubt);

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
