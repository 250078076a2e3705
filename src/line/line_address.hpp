/// Where the rest of the rack reaches a line. It exists before the line, and before all that write to it.
///
/// Threads: any, but give(): the dispatch thread alone; received(): the line's thread pushes, one
///          codec worker at a time pops. Nothing waits.
#pragma once

#include "src/base/check.hpp"
#include "src/base/mailbox.hpp"
#include "src/line/line_mail.hpp"
#include "src/ports/line.hpp"
#include "src/queue/line_queue.hpp"
#include "src/queue/receive_queue.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

namespace smsrack::line {

class LineAddress final : public ports::Acknowledger {
public:
    /// Of the line's modem; it outlives the object.
    explicit LineAddress(Waiter& waiter) : waiter_(waiter), mailbox_(waiter) {}

    // -- dispatch
    /// One message, when the line has said that it is ready.
    void give(queue::SlotNumber slot) {
        SMSRACK_CHECK(given_.push(slot));
        waiter_.wake();
    }
    /// While shut the line takes nothing by itself.
    void shut(bool shut) { shut_.store(shut, std::memory_order_release); }
    /// The end of the last segment is on its way to the store: the next one may begin.
    void go_on() { mailbox_.push(GoOn{}); }
    /// The line is parked and holds nothing, not the rest of a long message either; or no longer.
    void park(bool parked) { mailbox_.push(Parked{parked}); }
    /// It may be unparked soon: its radio must be on for that long.
    void stay_awake(std::chrono::milliseconds length) { mailbox_.push(StayAwake{length}); }

    // -- the receive codec
    [[nodiscard]] queue::ReceiveQueue& received() { return received_; }
    void acknowledge(std::uint32_t token) override { mailbox_.push(Kept{token}); }
    void not_kept(std::uint32_t token) override { mailbox_.push(NotKept{token}); }

    // -- the host
    /// Something happened to the port, or to its folder: it may be there again.
    void port_changed() { mailbox_.push(PortChanged{}); }
    /// An operator's command, run when no message is in flight; meanwhile the line takes none.
    void order(ports::HandOrder order, ports::HandDone done) {
        mailbox_.push(GivenOrder{std::move(order), std::move(done)});
    }
    /// Gives back what has not left, takes nothing, and has its modem begin nothing; or resumes.
    void hold(bool held) { mailbox_.push(Hold{held}); }
    enum class Want : std::uint8_t {
        all,           ///< what the modem is about can be left as it is
        nothing_held,  ///< no message is in flight
        no_loss,       ///< nothing would be lost, though a modem may have to be set up once more
    };
    /// Since hold(true): it can be left to another one.
    [[nodiscard]] bool is_settled(Want want) const {
        const Settled now = settled_.load(std::memory_order_acquire);
        return now == Settled::empty_handed ||
               (now == Settled::in_hand && want != Want::nothing_held) ||
               (now == Settled::begins_anew && want != Want::all);
    }

private:
    friend class ModemLine;  // which reads it

    /// `begins_anew`: the line holds nothing, but its modem is being set up or brought back into step.
    enum class Settled : std::uint8_t { no, begins_anew, in_hand, empty_handed };

    Waiter& waiter_;
    Mailbox<LineMail> mailbox_;
    queue::LineQueue given_;
    queue::ReceiveQueue received_;
    std::atomic<bool> shut_ = false;
    std::atomic<Settled> settled_ = Settled::no;
};

}  // namespace smsrack::line
