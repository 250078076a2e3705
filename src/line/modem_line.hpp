/// One modem's line: takes the message that dispatch gives it, sends its segments one by one, and
/// passes on what comes in.
///
/// It gives the turn to its parts and carries their questions to modem and store: who is in the slot
/// (SlotSeat), the message in flight (SubmitRun), what came in (Receiver), the radio of a parked line
/// (RadioRest), commands of the operator (LineOrders). Whether it may be given messages is the table of
/// LineState.
/// Each segment's attempt is committed while the prompt is on its way: AT+CMGS and the commit start
/// together, and the PDU leaves when both have come. A power cut before the commit: nothing has left.
/// After it: the attempt is found open.
/// Time:    step() never waits; the thread sleeps on the modem's Waiter.
/// Threads: step() on the line's thread; give() by dispatch; acknowledge() and not_kept() by any.
/// Source:  [SMSEngine] one full-duplex thread per modem.
#pragma once

#include "src/base/mailbox.hpp"
#include "src/base/worker.hpp"
#include "src/line/line_link.hpp"
#include "src/line/line_mail.hpp"
#include "src/line/line_report.hpp"
#include "src/line/line_state.hpp"
#include "src/line/radio_rest.hpp"
#include "src/line/receiver.hpp"
#include "src/line/submit_run.hpp"
#include "src/queue/line_queue.hpp"
#include "src/queue/send_queue.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::line {

struct LineSettings {
    ModemId id = {};
    std::string name = {};
    /// The attempt that an earlier process left open on this line.
    std::optional<GivenUp> left_open = {};
    bool adopted = false;  ///< its modem was adopted as it is: adopt() follows
    std::chrono::milliseconds disconnect{30'000};  ///< link pending -> stop
    std::string number = {};            ///< the SIM's own one as configured; empty: as the SIM says
    NumberPlan plan = {};               ///< by which the SIM's own one is read
    std::chrono::milliseconds pace{0};  ///< pause after each segment
    double pace_jitter = 0;             ///< longer or shorter by up to this part of it
    ports::SimPolicy sim_policy = ports::SimPolicy::warn;
    RadioRestSettings rest = {};
};

/// What a line works with; all outlive it.
struct LineWorld {
    ports::Modem& modem;
    ports::Store& store;
    ports::LineListener& listener;
    queue::OutSlots& slots;
    LineBoard& board;
    const Clock& clock;
    Log& log;
    Random& random;
    SimQuota* quota = nullptr;  ///< of the SIM in this slot; null: it has none
};

class ModemLine final : public Stepper {
public:
    ModemLine(LineSettings settings, LineWorld world);

    SteadyTime step(SteadyTime now) override;

    /// Where the line takes its next message from after one that the network took. Before the threads start.
    void take_from(queue::SendQueue& encoded) { encoded_ = &encoded; }
    /// Null: the line has none.
    [[nodiscard]] const SimQuota* quota() const { return world_.quota; }
    /// PDUs for the receive codec, which pops from one worker at a time.
    [[nodiscard]] queue::ReceiveQueue& received() { return receiver_.queue(); }

    // -- any thread
    /// One message, when the line has said that it is ready. By dispatch alone.
    void give(queue::SlotNumber slot);
    /// While shut the line takes nothing by itself.
    void shut(bool shut) { shut_.store(shut, std::memory_order_release); }
    /// The end of the last segment is on its way to the store: the next one may begin.
    void go_on() { mailbox_.push(GoOn{}); }
    void acknowledge(std::uint32_t token) { mailbox_.push(Kept{token}); }
    void not_kept(std::uint32_t token) { mailbox_.push(NotKept{token}); }
    /// Something happened to the port, or to its folder: it may be there again.
    void port_changed() { mailbox_.push(PortChanged{}); }
    /// An operator's command, run when no message is in flight; meanwhile the line takes none.
    void order(ports::HandOrder order, ports::HandDone done) {
        mailbox_.push(GivenOrder{std::move(order), std::move(done)});
    }
    /// No new work: the modem is left alone when it holds nothing.
    void close_when_idle() { mailbox_.push(Close{}); }
    /// The line is parked and holds nothing, not the rest of a long message either; or no longer.
    void park(bool parked) { mailbox_.push(Parked{parked}); }
    /// It may be unparked soon: its radio must be on for that long.
    void stay_awake(std::chrono::milliseconds length) { mailbox_.push(StayAwake{length}); }

    // -- from one owner of the modem to the next, in modem_line_carry.cpp
    /// Gives back what has not left, takes nothing, and has its modem begin nothing; or resumes. Any thread.
    void hold(bool held) { mailbox_.push(Hold{held}); }
    enum class Want : std::uint8_t {
        all,           ///< what the modem is about can be left as it is
        nothing_held,  ///< no message is in flight
        no_loss,       ///< nothing would be lost, though a modem may have to be set up once more
    };
    /// Since hold(true): it can be left to another one. Any thread.
    [[nodiscard]] bool is_settled(Want want) const;
    /// When its thread has ended: takes what other threads have left for it, and neither reads nor writes.
    void settle();
    /// After settle(). The next owner needs it besides what the modem carries.
    [[nodiscard]] LineCarried carried() const;
    /// Before its thread starts, with a modem that was adopted. `slot`: where the message in flight is now.
    void adopt(const LineCarried& carried, const ports::ModemIdentity& identity, bool modem_up,
               std::optional<queue::SlotNumber> slot);

private:
    /// `begins_anew`: the line holds nothing, but its modem is being set up or brought back into step.
    enum class Settled : std::uint8_t { no, begins_anew, in_hand, empty_handed };

    bool take_mail();
    bool take_events();
    bool take_work();
    bool take_order();
    bool take_rest();
    void apply(LineEvent event);
    void release_if_free();
    [[nodiscard]] ports::LineLife life() const;

    // -- mail
    void on(const AttemptBegun& mail);
    void on(const SlotPaired& mail);
    void on(const SimKnown& mail);
    void on(UsageKnown& mail);
    void on(const PinJudged& mail) { world_.modem.enter_pin(mail.pin, mail.verdict); }
    void on(const Expecting& mail);
    void on(const Kept& mail);
    void on(const NotKept& mail);
    void on(const GoOn&);
    void on(const PortChanged&) { world_.modem.port_changed(); }
    void on(const Close&) { world_.modem.close_when_idle(); }
    void on(const Hold& mail);
    void on(const Parked& mail) { rest_.park(mail.parked, state_ != LineState::down, now_); }
    void on(const StayAwake& mail) { rest_.stay_awake(now_ + mail.length, now_); }
    void on(GivenOrder& mail) { orders_.add(std::move(mail), now_); }

    // -- what the modem says
    void on(const ports::ModemIdentified& event);
    void on(const ports::ModemReady& event);
    void on(const ports::ModemNotReady& event);
    void on(const ports::ModemAsleep& event);
    void on(const ports::ModemVitals& event) { world_.board.vitals(settings_.id, event); }
    void on(const ports::SubmitDone& event);
    void on(const ports::LateAnswer& event);
    void on(const ports::EarlierAttempt& event);
    void on(const ports::ReceivedPdu& event);
    void on(const ports::PduErased& event);
    void on(const ports::PlacesListed& event);
    void on(const ports::ModemIncident& event) { report_.incident(event.kind); }
    void on(const ports::PinWanted& event);
    void on(const ports::PinTried& event);
    void on(const ports::SimStorage& event) { report_.sim_storage(event); }
    void on(const ports::Diagnosis& event);
    void on(const ports::HandEnded& event);

    // -- who is in the slot, in modem_line_seat.cpp
    void ask_about_seat();
    void seat_failed(const Error& error);
    void become_ready();

    // -- the message in flight, in modem_line_submit.cpp
    bool begin_when_read();
    void begin_segment();
    void return_unsent();
    void go_on_if_rested();
    void finish_segment_if_done();
    [[nodiscard]] std::optional<queue::SlotNumber> next_message();
    [[nodiscard]] std::optional<SimQuota::Counted> count_segment(const std::string& to,
                                                                 WallTime at);
    void not_counted(const Error& why);
    void note(AttemptId attempt, ports::NoteKind kind, std::string text);

    void pdus_wait(std::size_t passed_on);
    void ask_whether_expecting();
    void fall_asleep();
    void wake();
    [[nodiscard]] Settled settled_now() const;

    const LineSettings settings_;
    LineWorld world_;
    Mailbox<LineMail> mailbox_;
    std::vector<LineMail> mail_;           // being read; keeps its memory
    queue::SendQueue* encoded_ = nullptr;  // of the line's group
    std::atomic<bool> shut_ = false;
    queue::LineQueue given_;
    LineState state_ = LineState::down;
    bool held_back_ = false;  // by hold()
    SubmitRun run_;
    SlotSeat seat_;
    Receiver receiver_;
    LineOrders orders_;
    RadioRest rest_;
    ExpectedAnswers expected_;
    LineLink link_;
    LineReport report_;
    std::atomic<Settled> settled_ = Settled::no;
    SteadyTime now_ = {};
};

}  // namespace smsrack::line
