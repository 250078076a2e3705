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
/// Threads: step() on the line's thread. Other threads use LineAddress.
/// Source:  [SMSEngine] one full-duplex thread per modem.
#pragma once

#include "src/base/worker.hpp"
#include "src/line/line_address.hpp"
#include "src/line/line_link.hpp"
#include "src/line/line_mail.hpp"
#include "src/line/line_report.hpp"
#include "src/line/line_state.hpp"
#include "src/line/radio_rest.hpp"
#include "src/line/receiver.hpp"
#include "src/line/submit_run.hpp"
#include "src/queue/send_queue.hpp"

#include <atomic>
#include <chrono>
#include <functional>
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
    LineAddress& address;  ///< its own
    ports::Modem& modem;
    ports::Store& store;
    ports::LineListener& listener;
    std::function<void()> pdu_waits;  ///< the receive queue of this line has one PDU more
    queue::SendQueue& encoded;  ///< of its group: the next message after one that the network took
    queue::OutSlots& slots;
    LineBoard& board;
    const Clock& clock;
    Log& log;
    Random& random;
    SimQuota* quota = nullptr;  ///< of the SIM in this slot; null: it has none
    /// Of the fleet, where its SIMs are counted together: there is a quota then. Null: there is none.
    ports::SimShares* shares = nullptr;
};

class ModemLine final : public Stepper {
public:
    ModemLine(LineSettings settings, LineWorld world);

    SteadyTime step(SteadyTime now) override;

    // -- from one owner of the modem to the next, in modem_line_carry.cpp
    /// When its thread has ended: takes what other threads have left for it, and neither reads nor writes.
    void settle();
    /// After settle(). The next owner needs it besides what the modem carries.
    [[nodiscard]] LineCarried carried() const;
    /// Before its thread starts, with a modem that was adopted. `slot`: where the message in flight is now.
    void adopt(const LineCarried& carried, const ports::ModemIdentity& identity, bool modem_up,
               std::optional<queue::SlotNumber> slot);

private:
    bool take_mail();
    bool take_events();
    bool take_work();
    bool take_order();
    bool take_rest();
    void apply(LineEvent event);
    void release_if_free();
    [[nodiscard]] bool begins_to_want_attempt();
    [[nodiscard]] ports::LineLife life() const;

    // -- mail
    void on(const AttemptBegun& mail);
    void on(const SlotPaired& mail);
    void on(const SimKnown& mail);
    void on(UsageKnown& mail);
    void on(SimShared& mail);
    void on(const PinJudged& mail) { world_.modem.enter_pin(mail.pin, mail.verdict); }
    void on(const Expecting& mail);
    void on(const Kept& mail);
    void on(const NotKept& mail);
    void on(const GoOn&);
    void on(const PortChanged&) { world_.modem.port_changed(); }
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
    void on(const ports::ModemFallbacks& event) {
        world_.board.fallbacks(settings_.id, event.fallbacks);
    }
    void on(const ports::Diagnosis& event);
    void on(const ports::HandEnded& event);

    // -- who is in the slot, in modem_line_seat.cpp
    void ask_about_seat();
    void share_sim(const std::string& card);
    void leave_sim();
    void show_unshared();
    void counted_if_known();
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
    [[nodiscard]] LineAddress::Settled settled_now() const;
    [[nodiscard]] bool is_soon_settled() const;

    const LineSettings settings_;
    LineWorld world_;
    Mailbox<LineMail>& mailbox_;
    std::vector<LineMail> mail_;  // being read; keeps its memory
    LineState state_ = LineState::down;
    bool held_back_ = false;  // by hold()
    /// The segment can do no more without the store's answer, which then wakes this thread. Written by this
    /// thread, read by the store's.
    std::atomic<bool> wants_attempt_ = false;
    SubmitRun run_;
    SlotSeat seat_;
    std::string shared_card_ = {};  // of which the fleet is asked; empty: of none
    bool is_carried_ = false;       // the process before had the SIM that is in the slot
    std::string sim_is_in_ = {};    // another box that has it, too; empty: none, as far as is known
    Receiver receiver_;
    LineOrders orders_;
    RadioRest rest_;
    ExpectedAnswers expected_;
    LineLink link_;
    LineReport report_;
    SteadyTime now_ = {};
};

}  // namespace smsrack::line
