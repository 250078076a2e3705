#include "drivers/gsm/exchange/evidence.hpp"

#include "drivers/gsm/exchange/submit_exchange.hpp"

#include <algorithm>

namespace smsrack::gsm {
namespace {

/// A cause of the network or of the service centre (3GPP TS 27.005 3.2.5: below 300) is the answer to a submit. From 300 on it is the
/// modem's own, and any command may have got it, such as the AT+CNMA of an earlier process's set-up.
bool is_of_a_submit(at::FinalResult result) {
    constexpr int modems_own_first = 300;
    return result.kind == at::FinalKind::cms_error && result.code < modems_own_first;
}

}  // namespace

void Evidence::begin(SteadyTime now) {
    outcome_ = {.kind = OutcomeKind::unknown};
    tainted_ = false;
    give_up_at_ = now + listen_limit + settings_.submit_timeout;
    enter(Phase::listening, now);
}

void Evidence::cut_off() {
    if (phase_ != Phase::idle) {
        phase_ = Phase::idle;
        reporter_.tell(ports::EarlierAttempt{outcome_});
        if (outcome_.kind == OutcomeKind::unknown) {
            submit_.expect_late();
        }
    }
}

Trigger Evidence::finish() {
    cut_off();
    return Trigger::evidence_done;
}

void Evidence::enter(Phase phase, SteadyTime now) {
    phase_ = phase;
    entered_ = now;
}

void Evidence::found(SubmitOutcome outcome, SteadyTime now) {
    outcome_ = outcome;
    enter(Phase::settling, now);
}

void Evidence::on_late(std::string_view cmgs_line, SteadyTime now) {
    if (phase_ != Phase::idle) {
        found(accepted_outcome(cmgs_line), now);
    }
}

void Evidence::on_stray_final(at::FinalResult result, SteadyTime now) {
    if (phase_ == Phase::idle || phase_ == Phase::settling) {
        return;
    }
    if (is_of_a_submit(result)) {
        return found({.kind = OutcomeKind::refused, .cause = cause_of(result)}, now);
    }
    tainted_ = tainted_ || result.kind == at::FinalKind::cms_error;  // nor is it the answer to ESC
    switch (phase_) {
        case Phase::listening:
            tainted_ = true;  // whose it is can't be known: perhaps the end of a +CMGS that was
                              // read before
            return;
        case Phase::escaped:
            return enter(tainted_ ? Phase::waiting : Phase::confirming, now);
        case Phase::counting:
            return enter(Phase::settling, now);  // two: not the proof
        default:
            return;
    }
}

void Evidence::on_piece(std::string_view line, SteadyTime) {
    tainted_ = tainted_ || line.find_first_not_of("> ") != std::string_view::npos;
}

std::optional<Trigger> Evidence::tick(SteadyTime now) {
    switch (phase_) {
        case Phase::listening:
            if (is_silent(now)) {
                channel_.write_raw("\x1b");
                enter(Phase::escaped, now);
            } else if (now >= entered_ + listen_limit) {
                return finish();
            }
            return std::nullopt;
        case Phase::escaped:
            if (now >= entered_ + escape_limit) {
                enter(Phase::waiting, now);
            }
            return std::nullopt;
        case Phase::counting:
            if (is_silent(now)) {
                outcome_.kind = tainted_ ? OutcomeKind::unknown : OutcomeKind::not_sent;
                return finish();
            }
            return std::nullopt;
        case Phase::settling:
            if (is_silent(now) || now >= give_up_at_) {
                return finish();
            }
            return std::nullopt;
        case Phase::idle:
        case Phase::confirming:
        case Phase::waiting:
            return std::nullopt;
    }
    return std::nullopt;
}

bool Evidence::speak(SteadyTime now) {
    if (phase_ != Phase::confirming && phase_ != Phase::waiting) {
        return false;
    }
    channel_.start({.text = "AT", .timeout = probe_limit}, now);
    return true;
}

SteadyTime Evidence::next_turn() const {
    switch (phase_) {
        case Phase::listening:
            return std::min(silent_at(), entered_ + listen_limit);
        case Phase::escaped:
            return entered_ + escape_limit;
        case Phase::counting:
        case Phase::settling:
            return silent_at();
        case Phase::idle:
        case Phase::confirming:
        case Phase::waiting:
            return never;
    }
    return never;
}

std::optional<Trigger> Evidence::on_final(at::FinalResult result, SteadyTime now) {
    if (phase_ == Phase::settling) {
        return std::nullopt;
    }
    switch (result.kind) {
        case at::FinalKind::ok:
            enter(phase_ == Phase::confirming ? Phase::counting : Phase::settling, now);
            return std::nullopt;
        case at::FinalKind::cms_error:
            if (is_of_a_submit(result)) {
                found({.kind = OutcomeKind::refused, .cause = cause_of(result)}, now);
            } else {
                enter(Phase::settling, now);
            }
            return std::nullopt;
        case at::FinalKind::timed_out:
            if (now >= give_up_at_) {
                return finish();
            }
            enter(Phase::waiting, now);  // asks again
            return std::nullopt;
        case at::FinalKind::error:
        case at::FinalKind::cme_error:
            enter(Phase::settling, now);
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace smsrack::gsm
