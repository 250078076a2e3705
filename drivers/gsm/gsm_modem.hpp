/// A 3GPP modem behind a serial port; what its family does in its own way is in its Profile.
///
/// This class only takes calls and steps its parts: the port (PortKeeper), what is said (Conversation, with one
/// class for each that speaks), and what follows from it (ModemLife, with the table of modem_states).
/// Time:    the injected Clock; no call waits.
/// Threads: the line's thread, for all parts that do not say otherwise; waiter().wake() and leave_port()
///          from any.
/// Errors:  faults are events, as ports::Modem says.
/// Source:  3GPP TS 27.005, TS 27.007.
#pragma once

#include "drivers/gsm/modem_life.hpp"
#include "src/base/members.hpp"

#include <memory>
#include <optional>
#include <string>

namespace smsrack::gsm {

/// A modem that is set up, as one process leaves it to the next: AT commands that were given once are not
/// given again, and a submit in flight is waited for. Its port is handed over next to it.
struct ModemCarried {
    bool ready = false;  ///< false: it looks for its network
    Facts facts = {};
    at::ChannelCarried channel = {};
    SubmitCarried submit = {};
    WatchCarried watch = {};
    LinkCarried link = {};
    InboxCarried inbox = {};
    SMSRACK_MEMBERS(ready, facts, channel, submit, watch, link, inbox);
};

class GsmModem final : public ports::Modem {
public:
    /// `name` is for log lines. `profile`, `clock` and `log` outlive this object. `power`: null where the
    /// board has no power line for it.
    GsmModem(const std::string& name, const Profile& profile, ModemSettings settings,
             std::unique_ptr<serial::PipeSource> source, const Clock& clock, Log& log,
             std::unique_ptr<ports::Power> power = nullptr);

    void open(ports::OpenMode mode) override;
    SteadyTime step(SteadyTime now) override;
    [[nodiscard]] std::optional<ports::ModemEvent> next_event() override {
        return reporter_.next_event();
    }
    [[nodiscard]] ports::LineLife life() const override { return life_of(status_.state); }
    void port_changed() override { port_.retry_now(clock_.steady()); }
    void enter_pin(const ports::PinTry& pin, ports::PinVerdict verdict) override;
    void expect_more(bool more) override;
    [[nodiscard]] bool can_submit() const override;
    [[nodiscard]] bool reads_first() const override;
    void begin_submit(std::string pdu) override;
    [[nodiscard]] bool waits_for_release() const override {
        return speakers().submit.state() == SubmitState::prompted;
    }
    void release_pdu() override { talk_.speakers().submit.release(clock_.steady()); }
    void withhold_pdu() override { talk_.speakers().submit.withhold(clock_.steady()); }
    void acknowledge(std::uint32_t token) override;
    void pause_reading(bool paused) override;
    void begin_order(ports::HandOrder order) override;
    void keep_radio_off(bool off) override { status_.radio_off = off; }
    void hold(bool held) override;
    [[nodiscard]] bool is_settled() const override;
    [[nodiscard]] const ports::Dialogue& dialogue() const override { return recorder_; }
    [[nodiscard]] Waiter& waiter() override { return port_.waiter(); }

    /// The port goes to other programs, or no longer: while the modem is held it is put back to the rate at
    /// which they look for it, before it is settled. Any thread.
    void leave_port(bool leaving) { talk_.speakers().rate_return.leave(leaving); }

    // -- from one owner of the port to the next
    /// From now on nothing is read or written. nullopt: it is not set up, so the next owner begins again.
    [[nodiscard]] std::optional<ModemCarried> carried();
    /// Instead of open(): continues with a modem that is set up. `port` as BytePipe::duplicate() gave it, and
    /// this object's from now on. no_device: the port can't be adopted; then open() must be called.
    [[nodiscard]] Result<> adopt(const ModemCarried& carried, int port);
    /// A further descriptor of the open port; -1: it is closed.
    [[nodiscard]] int duplicate_port() const;
    [[nodiscard]] const serial::PortSettings& port() const { return settings_.port; }
    [[nodiscard]] std::uint32_t fast_baud() const { return settings_.fast_baud; }

private:
    void give_turn();
    void report_fallbacks();
    [[nodiscard]] SteadyTime deadline();
    [[nodiscard]] const Speakers& speakers() const { return talk_.speakers(); }

    const ModemSettings settings_;
    const Clock& clock_;
    FlightRecorder recorder_;
    Reporter reporter_;
    ModemStatus status_;
    PortKeeper port_;
    Conversation talk_;
    ModemLife life_;
    bool frozen_ = false;  // carried() was called
    SteadyTime now_ = {};
};

}  // namespace smsrack::gsm
