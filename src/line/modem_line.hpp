/// One modem's line: takes the message that dispatch gives it, sends its segments one by one, and
/// passes on what comes in.
///
/// Each segment's attempt is committed while the prompt is on its way: AT+CMGS and the commit start
/// together, and the PDU leaves when both have come. A power cut before the commit: nothing has left.
/// After it: the attempt is found open.
/// Time:    step() never waits; the thread sleeps on the modem's Waiter.
/// Threads: step() on the line's thread; give() by dispatch; acknowledge() and not_kept() by any.
/// Source:  [SMSEngine] one full-duplex thread per modem.
#pragma once

#include "src/base/log.hpp"
#include "src/base/mailbox.hpp"
#include "src/base/random.hpp"
#include "src/base/worker.hpp"
#include "src/line/line_board.hpp"
#include "src/line/line_carried.hpp"
#include "src/line/line_orders.hpp"
#include "src/line/line_state.hpp"
#include "src/line/radio_rest.hpp"
#include "src/line/receiver.hpp"
#include "src/line/sim_quota.hpp"
#include "src/line/slot_seat.hpp"
#include "src/line/submit_run.hpp"
#include "src/ports/line.hpp"
#include "src/ports/store.hpp"
#include "src/queue/line_queue.hpp"
#include "src/queue/out_slot.hpp"
#include "src/queue/send_queue.hpp"
#include "src/sms/address.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace smsrack::line {

struct LineSettings {
    ModemId id = {};
    std::string name = {};
    std::optional<GivenUp> left_open =
        {};                ///< the attempt that an earlier process left open on this line
    bool adopted = false;  ///< its modem was taken over as it is: adopt() follows
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

    /// One message, when the line has said that it is free.
    void give(queue::SlotNumber slot);
    /// Where the line takes its next message from after one that the network took. Before the threads start.
    void take_from(queue::SendQueue& encoded) { encoded_ = &encoded; }
    /// While shut the line takes nothing by itself. Any thread.
    void shut(bool shut) { shut_.store(shut, std::memory_order_release); }
    // -- the radio of a parked line, in modem_line_rest.cpp; any thread
    /// The line is parked and holds nothing, not the rest of a long message either; or no longer.
    void park(bool parked) { mailbox_.push(Parked{parked}); }
    /// It may be unparked soon: its radio is to be on for so long.
    void stay_awake(std::chrono::milliseconds length) { mailbox_.push(StayAwake{length}); }

    /// The end of the last segment is on its way to the store: the next one may begin.
    void go_on();
    void acknowledge(std::uint32_t token);
    void not_kept(std::uint32_t token);
    /// Something happened to the port, or to its folder: it may be there again.
    void port_changed();
    /// A person's order, run when no message is in hand; meanwhile the line takes none.
    void order(ports::HandOrder order, ports::HandDone done);
    /// No new work: the modem is left alone when it holds nothing.
    void close_when_idle();

    // -- from one owner of the modem to the next, in modem_line_carry.cpp
    /// Gives back what has not left, takes nothing, and has its modem begin nothing; or goes on. Any thread.
    void hold(bool held) { mailbox_.push(Hold{held}); }
    enum class Want : std::uint8_t {
        all,           ///< what the modem is about can be left as it is
        nothing_held,  ///< no message is in its hand
        no_loss,       ///< nothing would be lost, though a modem may have to be set up once more
    };
    /// Since hold(true): it can be left to another one. Any thread.
    [[nodiscard]] bool is_settled(Want want) const {
        const Settled now = settled_.load(std::memory_order_acquire);
        return now == Settled::empty_handed ||
               (now == Settled::in_hand && want != Want::nothing_held) ||
               (now == Settled::begins_anew && want != Want::all);
    }
    /// When its thread has ended: takes what other threads have left for it, and neither reads nor writes.
    void settle();
    /// After settle(). Whoever comes next needs it beside what the modem carries.
    [[nodiscard]] LineCarried carried() const;
    /// Before its thread starts, with a modem that was taken over. `slot`: where the message in hand is now.
    void adopt(const LineCarried& carried, const ports::ModemIdentity& identity, bool modem_up,
               std::optional<queue::SlotNumber> slot);

    /// Null: the line has none.
    [[nodiscard]] const SimQuota* quota() const { return world_.quota; }

    /// PDUs for the receive codec, which pops from one worker at a time.
    [[nodiscard]] queue::ReceiveQueue& received() { return receiver_.queue(); }

private:
    struct AttemptBegun {
        std::uint64_t number;
        Result<AttemptId> attempt;
    };
    struct SlotPaired {
        ports::SlotSeen seen;
        Result<ports::SlotKnown> before;
    };
    struct SimKnown {
        std::string iccid;
        Result<SimId> sim;
    };
    struct UsageKnown {
        SimId sim;
        Result<ports::UsedQuota> used;
    };
    struct Kept {
        std::uint32_t token;
    };
    struct NotKept {
        std::uint32_t token;
    };
    struct PinJudged {
        ports::PinTry pin;
        ports::PinVerdict verdict;
    };
    struct Parked {
        bool parked;
    };
    struct StayAwake {
        std::chrono::milliseconds length;
    };
    struct Expecting {
        std::uint64_t question;
        SimId sim;
        WallTime asked;
        Result<ports::Expected> expected;
    };
    struct GoOn {};
    struct PortChanged {};
    struct Close {};
    struct Hold {
        bool held;
    };
    /// `begins_anew`: the line holds nothing, but its modem is being set up or brought back into step.
    enum class Settled : std::uint8_t { no, begins_anew, in_hand, empty_handed };
    using Mail =
        std::variant<AttemptBegun, SlotPaired, SimKnown, UsageKnown, Kept, NotKept, PinJudged, GoOn,
                     PortChanged, Close, Hold, GivenOrder, Parked, StayAwake, Expecting>;

    bool take_mail();
    bool take_events();
    bool take_work();
    bool take_order();
    void pdus_wait(std::size_t passed_on);

    void on(const AttemptBegun& mail);
    void on(const SlotPaired& mail);
    void on(SimKnown& mail);
    void on(UsageKnown& mail);
    void on(const Kept& mail);
    void on(const NotKept& mail);
    void on(const PinJudged& mail);
    void on(const GoOn& mail);
    void on(const PortChanged& mail);
    void on(const Parked& mail);
    void on(const StayAwake& mail);
    void on(const Expecting& mail);
    void on(const Close& mail);
    void on(const Hold& mail);
    [[nodiscard]] Settled settled_now() const;
    void on(GivenOrder& mail);
    void on(const ports::ModemIdentified& event);
    void on(const ports::ModemReady& event);
    void on(const ports::ModemNotReady& event);
    void on(const ports::ModemAsleep& event);
    void on(const ports::ModemVitals& event);
    void on(const ports::SubmitDone& event);
    void on(const ports::LateAnswer& event);
    void on(const ports::EarlierAttempt& event);
    void on(const ports::ReceivedPdu& event);
    void on(const ports::PduErased& event);
    void on(const ports::PlacesListed& event);
    void on(const ports::ModemIncident& event);
    void on(const ports::PinWanted& event);
    void on(const ports::PinTried& event);
    void on(const ports::SimStorage& event);
    void on(const ports::Diagnosis& event);
    void on(const ports::HandEnded& event);

    void tell(const std::string& state);
    bool take_rest();
    void ask_whether_expecting();
    void fall_asleep();
    void wake();
    void become_ready();
    void apply(LineEvent event);
    void release_if_free();
    void stop_link_if_late();
    void ask_about_seat();
    void sim_not_kept(const Error& error);

    [[nodiscard]] ports::LineLife life() const;
    void begin_segment();
    bool begin_when_read();
    void go_on_if_rested();
    [[nodiscard]] std::optional<SimQuota::Counted> count_segment(const std::string& to,
                                                                 WallTime at);
    void not_counted(const Error& why);
    void tell_quota(const QuotaNews& news);
    void finish_segment_if_done();
    [[nodiscard]] std::optional<queue::SlotNumber> next_message();
    void return_unsent();
    void note_trouble(SegmentEnd& end);
    void note(AttemptId attempt, ports::NoteKind kind, std::string text);

    const LineSettings settings_;
    LineWorld world_;
    Mailbox<Mail> mailbox_;
    std::vector<Mail> mail_;               // being read; keeps its memory
    queue::SendQueue* encoded_ = nullptr;  // of the line's group
    std::atomic<bool> shut_ = false;
    queue::LineQueue given_;
    Receiver receiver_;

    SubmitRun run_;
    bool sim_nearly_full_ = false;  // alarm given
    SlotSeat seat_;
    LineState state_ = LineState::down;
    LineOrders orders_;
    RadioRest rest_;
    std::uint64_t question_ = 0;  // to the store, asked last by rest_
    struct {
        SimId of = {};
        AttemptId settled = {};
        WallTime asked = {};
    } expected_ = {};                          // what the store answered last
    std::optional<SteadyTime> woken_at_ = {};  // its radio is being switched on since then

    SteadyTime stop_at_ = never;  // the link is pending until then
    bool held_back_ = false;      // by hold(): nothing is taken

    bool quiet_ = false;  // taken over: that it is ready is no news
    std::atomic<Settled> settled_ = Settled::no;
    SteadyTime now_ = {};
};

}  // namespace smsrack::line
