/// A 3GPP modem behind a serial port; what its family does in its own way is in its Profile.
///
/// This class only gives the turn: what is said is in the speakers (start_up, submit_exchange,
/// inbox_reader, network_watch, call_guard, link_keeper, self_diagnosis, evidence, step_check, drain,
/// hand_command, ussd_exchange), what follows from it in modem_states; what is tried with one that does
/// not answer, in recovery.
/// Time:    the injected Clock; no call waits.
/// Threads: the line's thread; waiter().wake() from any.
/// Errors:  faults are events, as ports::Modem says.
/// Source:  3GPP TS 27.005, TS 27.007.
#pragma once

#include "drivers/at/at_channel.hpp"
#include "drivers/gsm/call_guard.hpp"
#include "drivers/gsm/drain.hpp"
#include "drivers/gsm/evidence.hpp"
#include "drivers/gsm/facts.hpp"
#include "drivers/gsm/flight_recorder.hpp"
#include "drivers/gsm/hand_command.hpp"
#include "drivers/gsm/inbox_reader.hpp"
#include "drivers/gsm/link_keeper.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/modem_states.hpp"
#include "drivers/gsm/network_watch.hpp"
#include "drivers/gsm/port_opener.hpp"
#include "drivers/gsm/power_pulse.hpp"
#include "drivers/gsm/profile.hpp"
#include "drivers/gsm/radio_switch.hpp"
#include "drivers/gsm/recovery.hpp"
#include "drivers/gsm/reporter.hpp"
#include "drivers/gsm/self_diagnosis.hpp"
#include "drivers/gsm/start_up.hpp"
#include "drivers/gsm/step_check.hpp"
#include "drivers/gsm/submit_exchange.hpp"
#include "drivers/gsm/ussd_exchange.hpp"
#include "drivers/serial/byte_pipe.hpp"
#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/ports/modem.hpp"
#include "src/ports/power.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::gsm {

/// A modem that is set up, as one process leaves it to the next: AT commands that were given once are not
/// given again, and a submit in the network's hand is waited for. Its port goes beside it.
struct ModemCarried {
    bool ready = false;  ///< false: it looks for its network
    Facts facts = {};
    at::ChannelCarried channel = {};
    SubmitCarried submit = {};
    WatchCarried watch = {};
    LinkCarried link = {};
    InboxCarried inbox = {};
};

class GsmModem final : public ports::Modem, private at::AtListener {
public:
    /// `name` is for log lines. `profile`, `clock` and `log` outlive this object. `power`: null where the
    /// board has no power line for it.
    GsmModem(const std::string& name, const Profile& profile, ModemSettings settings,
             std::unique_ptr<serial::PipeSource> source, const Clock& clock, Log& log,
             std::unique_ptr<ports::Power> power = nullptr);
    ~GsmModem() override;

    void open(ports::OpenMode mode) override;
    SteadyTime step(SteadyTime now) override;
    [[nodiscard]] std::optional<ports::ModemEvent> next_event() override;
    [[nodiscard]] ports::LineLife life() const override { return life_of(state_); }
    void port_changed() override;
    void enter_pin(const ports::PinTry& pin, ports::PinVerdict verdict) override;
    void expect_more(bool more) override {
        link_.expect_more(more);
        inbox_.submit_begins(more);
    }
    [[nodiscard]] bool can_submit() const override;
    [[nodiscard]] bool reads_first() const override;
    void begin_submit(std::string pdu) override;
    void release_pdu() override;
    void withhold_pdu() override;
    void acknowledge(std::uint32_t token) override;
    void pause_reading(bool paused) override;
    void begin_order(ports::HandOrder order) override;
    void keep_radio_off(bool off) override;
    void hold(bool held) override;
    [[nodiscard]] bool is_settled() const override;
    void close_when_idle() override;
    [[nodiscard]] const ports::Dialogue& dialogue() const override { return recorder_; }
    [[nodiscard]] Waiter& waiter() override;

    // -- from one owner of the port to the next, in gsm_modem_carry.cpp
    /// From now on nothing is read or written. Nothing: it is not set up, so whoever comes next begins anew.
    [[nodiscard]] std::optional<ModemCarried> carried();
    /// Instead of open(): goes on with a modem that is set up. `port` as BytePipe::duplicate() gave it, and
    /// this object's from now on. no_device: the port can't be taken over; then open() is to be called.
    [[nodiscard]] Result<> adopt(const ModemCarried& carried, int port);
    /// A further descriptor of the open port; -1: it is closed.
    [[nodiscard]] int duplicate_port() const;
    [[nodiscard]] const serial::PortSettings& port() const { return settings_.port; }

private:
    /// Commands of the inbox between two submits: 8 PDUs, each to read and to erase. More come in than the
    /// network delivers during a submit of some seconds; beyond that a flood would stop sending.
    static constexpr int inbox_turn = 16;
    static constexpr std::size_t turns_max = 8;
    using Turns = std::array<Speaker*, turns_max>;  // in order of precedence; null: nobody

    void on_prompt() override;
    void on_line(at::LineKind kind, std::string_view line) override;
    void on_piece(std::string_view line) override;
    void on_final(at::FinalResult result) override;
    void on_urc(std::string_view line, std::string_view pdu) override;
    void on_stray_final(at::FinalResult result) override;
    void on_event(std::string_view line);
    [[nodiscard]] bool is_in_service() const {
        return state_ == ModemState::registering || state_ == ModemState::ready;
    }

    /// What follows from the end of a command; an answer that came torn is no silence yet.
    [[nodiscard]] std::optional<Trigger> judge(const Speaker& speaker, at::FinalResult result,
                                               std::optional<Trigger> trigger);
    [[nodiscard]] bool has_order() const { return !hand_.is_idle() || !ussd_.is_idle(); }
    void cut_off_order(bool restarted);

    void raise(std::optional<Trigger> trigger);
    void apply_triggers();
    void apply(Trigger trigger);
    void enter(ModemState from, Trigger trigger);
    void enter_draining();
    void enter_opening(Trigger trigger);
    void enter_failed(Trigger trigger);
    void enter_asleep();
    [[nodiscard]] bool may_doze() const;
    void enter_probing(Trigger trigger);
    void enter_registering(ModemState from);

    void after_submit();
    [[nodiscard]] Turns turns();
    void give_turn();
    void tick();
    [[nodiscard]] SteadyTime deadline();

    // Recovery, in gsm_modem_recovery.cpp
    [[nodiscard]] bool wants_port() const;
    [[nodiscard]] SteadyTime port_due() const;
    void open_port();
    void close_port();
    [[nodiscard]] Rung climb();
    [[nodiscard]] bool try_remedy(Remedy remedy);
    void plan_after(const Rung& rung);
    void step_pulse();
    void note_return();

    const Profile& profile_;
    const ModemSettings settings_;
    const std::unique_ptr<serial::PipeSource> source_;
    const Clock& clock_;
    FlightRecorder recorder_;
    Reporter reporter_;
    at::AtChannel channel_;
    std::unique_ptr<serial::BytePipe> pipe_;

    Facts facts_;
    PortOpener opener_;
    Recovery recovery_;
    PowerPulse pulse_;
    Evidence evidence_;
    StartUp start_up_;
    NetworkWatch watch_;
    SubmitExchange submit_;
    InboxReader inbox_;
    StepCheck step_check_;
    Drain drain_;
    CallGuard calls_;
    LinkKeeper link_;
    SelfDiagnosis diagnosis_;
    HandCommand hand_;
    UssdExchange ussd_;
    RadioSwitch radio_;

    ModemState state_ = ModemState::closed;
    Rung rung_ = {};                 // of recovery, climbed last
    std::vector<Trigger> triggers_;  // of this step, not yet applied
    Speaker* current_ = nullptr;     // whose command is in hand
    int inbox_turn_ = 0;     // commands that the inbox may still have before the next submit
    bool in_doubt_ = false;  // EarlierAttempt is still owed
    bool closing_ = false;
    bool held_ = false;       // nothing new is begun
    bool sleep_ = false;      // the radio is to be off
    bool waking_ = false;     // since it was: that it restarts is no news
    bool frozen_ = false;     // carried() was called
    bool sim_gone_ = false;   // Event::sim_removed, of a card that was known
    bool port_anew_ = false;  // opened since it was last set up
    std::string imei_;        // of the modem that was last set up
    std::string iccid_;       // of the SIM that the inbox's places are of
    std::string imsi_;        // of the same: not each modem tells the ICCID
    SteadyTime now_ = {};
};

}  // namespace smsrack::gsm
