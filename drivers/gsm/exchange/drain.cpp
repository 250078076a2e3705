#include "drivers/gsm/exchange/drain.hpp"

#include "drivers/gsm/exchange/submit_exchange.hpp"

#include <algorithm>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::chrono::milliseconds, Drain::rounds_max> probe_limits{1s, 1s, 3s};

}  // namespace

void Drain::begin(SteadyTime now) {
    round_ = 0;
    if (patient_until_ == SteadyTime{} && submit_.expects_late()) {
        patient_until_ = now + late_patience;
    }
    begin_round(now);
}

void Drain::begin_round(SteadyTime now) {
    disturbed_ = false;
    round_began_ = now;
    channel_.write_raw("\x1b");
}

void Drain::on_late(std::string_view cmgs_line) {
    disturbed_ = channel_.is_busy();
    take_late(accepted_outcome(cmgs_line));
}

/// The modem speaks again: it has all rounds to come into step.
void Drain::take_late(SubmitOutcome outcome) {
    const bool expected = submit_.expects_late();
    submit_.on_late(outcome);
    if (expected && !submit_.expects_late()) {
        round_ = 0;
    }
}

void Drain::on_stray_final(at::FinalResult result) {
    if (result.kind == at::FinalKind::cms_error) {
        take_late({.kind = OutcomeKind::refused, .cause = cause_of(result)});
    }
}

bool Drain::speak(SteadyTime now) {
    if (now < next_turn()) {
        return false;
    }
    channel_.start({.text = "AT", .timeout = probe_limits.at(std::min(round_, rounds_max - 1))},
                   now);
    return true;
}

SteadyTime Drain::next_turn() const {
    if (channel_.is_busy()) {
        return never;
    }
    return std::min(std::max(channel_.last_input(), round_began_) + silence,
                    round_began_ + silence_limit);
}

std::optional<Trigger> Drain::on_final(at::FinalResult result, SteadyTime now) {
    on_stray_final(result);
    if (result.kind == at::FinalKind::ok && !disturbed_) {
        patient_until_ = {};
        return Trigger::drained;
    }
    const bool patient = submit_.expects_late() && now < patient_until_;
    if (++round_ >= rounds_max && !patient) {
        return Trigger::gave_up;
    }
    if (!submit_.expects_late()) {
        rate_.flip();
    }
    begin_round(now);
    return std::nullopt;
}

}  // namespace smsrack::gsm
