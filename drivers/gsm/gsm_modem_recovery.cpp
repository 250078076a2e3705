// The port, and what is tried with a modem that does not answer.
#include "drivers/gsm/gsm_modem.hpp"

#include <utility>

namespace smsrack::gsm {

// -- the port

bool GsmModem::wants_port() const {
    return state_ == ModemState::opening || state_ == ModemState::absent ||
           state_ == ModemState::failed;
}

SteadyTime GsmModem::port_due() const {
    if (!wants_port()) {
        return never;
    }
    return pulse_.is_off() ? pulse_.due() : opener_.due();
}

void GsmModem::open_port() {
    if (now_ < port_due() || pulse_.is_off() || !wants_port()) {
        return;
    }
    close_port();
    pipe_ = opener_.try_open(now_);
    if (!pipe_) {
        return apply(opener_.is_missing() ? Trigger::port_missing : Trigger::port_refused);
    }
    port_anew_ = true;
    channel_.attach(pipe_.get());
    apply(std::exchange(in_doubt_, false) ? Trigger::port_opened_in_doubt : Trigger::port_opened);
}

void GsmModem::close_port() {
    cut_off_order(false);
    channel_.attach(nullptr);
    current_ = nullptr;
    pipe_.reset();
}

void GsmModem::port_changed() {
    now_ = clock_.steady();
    opener_.retry_now(now_);
}

void GsmModem::enter_opening(Trigger trigger) {
    switch (trigger) {
        case Trigger::open_called:
            return opener_.plan(now_);
        case Trigger::port_refused:
            return;
        case Trigger::gave_up:
            plan_after(rung_);
            break;
        default:
            reporter_.not_ready(
                "no_port", settings_.port.path + " is gone; the modem was unplugged or lost power");
            opener_.plan_retry(now_);
    }
    submit_.cut_off();
    inbox_.cut_off(now_);
    evidence_.cut_off();
    close_port();
}

// -- the ladder

Rung GsmModem::climb() {
    for (;;) {  // at most once around: a rung without a power line is always to be had
        const Rung rung = recovery_.climb();
        if (try_remedy(rung.remedy)) {
            return rung;
        }
    }
}

/// False: this modem can't be helped that way.
bool GsmModem::try_remedy(Remedy remedy) {
    switch (remedy) {
        case Remedy::reopen:
            reporter_.befell(ports::Incident::reopened);
            return true;
        case Remedy::reset:
            channel_.write_raw(std::string(profile_.restart.text) + '\r');
            reporter_.befell(ports::Incident::reset);
            return true;
        case Remedy::power:
            break;
    }
    if (const auto off = pulse_.begin(pipe_, now_); !off) {
        if (pulse_.has_power_line()) {
            reporter_.note(LogLevel::warn, "power_not_cycled", off.error().context);
        }
        return false;
    }
    close_port();
    reporter_.befell(ports::Incident::power_cycled);
    return true;
}

void GsmModem::plan_after(const Rung& rung) {
    opener_.plan(
        now_ + rung.pause +
        (rung.remedy == Remedy::power ? settings_.power_off : std::chrono::milliseconds::zero()));
}

void GsmModem::step_pulse() {
    if (const auto on = pulse_.step(now_); !on) {
        reporter_.note(LogLevel::error, "power_not_on", on.error().context);
    }
}

void GsmModem::enter_failed(Trigger trigger) {
    switch (trigger) {
        case Trigger::port_opened:
            channel_.write_raw("\x1b");
            return start_up_.begin(now_);
        case Trigger::port_refused:
            return;
        case Trigger::out_of_service:
            reporter_.out_of_service("the modem on " + settings_.port.path +
                                     " does not answer, whatever is tried; see to its power and "
                                     "cable. It is asked again every two minutes at the latest");
            plan_after(rung_);
            break;
        case Trigger::no_answer:
            rung_ = climb();
            plan_after(rung_);
            break;
        default:  // port_lost
            close_port();
            opener_.plan_retry(now_);
    }
    start_up_.stop();
    current_ = nullptr;
}

/// [EBAS] register: the same modem again; has it lost what it was told?
void GsmModem::note_return() {
    if (imei_ == facts_.identity.imei) {
        if (waking_) {
            // as it was meant to be
        } else if (!facts_.mark_kept) {
            reporter_.befell(ports::Incident::restarted);
        } else if (port_anew_) {
            reporter_.befell(ports::Incident::reconnected);
        }
    }
    imei_ = facts_.identity.imei;
    port_anew_ = false;
}

}  // namespace smsrack::gsm
