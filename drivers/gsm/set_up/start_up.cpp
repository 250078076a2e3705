#include "drivers/gsm/set_up/start_up.hpp"

#include "drivers/gsm/exchange/self_diagnosis.hpp"
#include "drivers/gsm/inbox/notify_setup.hpp"
#include "src/base/state_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace smsrack::gsm {
namespace {

/// It says in some seconds that it has restarted; else it has not, or does not tell.
constexpr std::chrono::seconds restart_limit{15};

/// 3GPP TS 27.005 3.2.5, TS 27.007 9.2.1: the modem does not know this at all, now or later.
bool is_not_supported(at::FinalResult result) {
    return result.kind == at::FinalKind::error ||
           result == at::FinalResult{at::FinalKind::cms_error, 303} ||
           result == at::FinalResult{at::FinalKind::cme_error, 4};
}

enum class StepEnd : std::uint8_t { ok, refused };

/// Where the script goes after a step, if not to the one behind it.
constexpr std::array turns{
    Rule{InitStep::events_on, StepEnd::refused, InitStep::events_on_older},
    Rule{InitStep::phase_2_plus, StepEnd::refused, InitStep::phase_2},
    Rule{InitStep::keep_general, StepEnd::ok, InitStep::keep_sms},
    Rule{InitStep::keep_general, StepEnd::refused, InitStep::keep_sms},
};

}  // namespace

void StartUp::begin(SteadyTime now) {
    answers_.begin();
    sim_.begin();
    early_tries_ = 0;
    functionality_asked_ = 0;
    looked_at_both_ = false;
    cursor_.reset_pause();
    cursor_.go_to(InitStep::probe, now);
}

void StartUp::poke(SteadyTime now) {
    if (cursor_.is_running() && sim_.poke()) {
        cursor_.reset_pause();
        cursor_.try_at(now);
    }
}

std::optional<Trigger> StartUp::go_to(InitStep step, SteadyTime now) {
    cursor_.go_to(step, now);
    return std::nullopt;
}

std::optional<Trigger> StartUp::advance(SteadyTime now) {
    do {
        cursor_.advance(now);
    } while (cursor_.is_running() && is_needless(cursor_.step()));
    return std::nullopt;
}

/// A modem at the faster rate would keep it for its next start.
bool StartUp::is_needless(InitStep step) const {
    return (step == InitStep::rate_list && (!rate_.is_wanted() || rate_.is_fast())) ||
           (step == InitStep::keep_general && rate_.is_fast()) || answers_.is_needless(step);
}

std::optional<Trigger> StartUp::try_again(SteadyTime now) {
    cursor_.try_again(now);
    return std::nullopt;
}

bool StartUp::speak(SteadyTime now) {
    if (now < cursor_.due()) {
        return false;
    }
    answers_.ask(cursor_.step());
    channel_.start(command_now(), now);
    return true;
}

at::Command StartUp::command_now() {
    at::Command command = cursor_.row().command;
    switch (cursor_.step()) {
        case InitStep::pin_enter:
            text_ = std::string(command.text) + '"' + settings_.pin.value_or("") + '"';
            break;
        case InitStep::centre_set:
            text_ = centre_command(settings_.smsc);
            break;
        case InitStep::notify:
            text_ = notify_command(facts_);
            break;
        case InitStep::rate_raise:
            text_ = rate_.raise_command();
            break;
        case InitStep::rate_lower:
            text_ = rate_.lower_command();
            break;
        case InitStep::events_on:
        case InitStep::events_on_older:
            text_ = std::string(command.text) + std::to_string(answers_.event_sum(cursor_.step()));
            break;
        case InitStep::keep_general:
            answers_.keeps();
            return command;
        default:
            return command;
    }
    command.text = text_;
    return command;
}

/// An answer without its information line is not the answer to this command: out of step.
bool StartUp::is_information_missing(at::FinalResult result) const {
    return result.kind == at::FinalKind::ok && cursor_.row().need == Need::required &&
           has_information(cursor_.row().command) && cursor_.step() != InitStep::phase_2_plus &&
           cursor_.step() != InitStep::memory_sm && !answers_.answer().has_line;
}

std::optional<Trigger> StartUp::on_final(at::FinalResult result, SteadyTime now) {
    switch (cursor_.step()) {
        case InitStep::rate_raise:
            return judge_raise(result, now);
        case InitStep::rate_check:
            return judge_check(result, now);
        case InitStep::rate_lower:
            rate_.to_base();  // also without an answer: it may have been lost at that rate
            rate_checks_ = 0;
            return go_to(InitStep::rate_back, now);
        case InitStep::rate_back:
            return judge_back(result, now);
        default:
            break;
    }
    if (result.kind == at::FinalKind::timed_out && cursor_.step() == InitStep::probe &&
        !std::exchange(looked_at_both_, true) && rate_.flip()) {
        cursor_.try_at(now);
        return std::nullopt;
    }
    if (result.kind == at::FinalKind::timed_out) {
        cursor_.stop();
        return Trigger::no_answer;
    }
    if (cursor_.step() == InitStep::pin_state) {
        return judge_pin_state(result, now);
    }
    if (cursor_.step() == InitStep::pin_enter) {
        sim_.end_entry(result, now);
        return std::nullopt;
    }
    if (is_information_missing(result) && ++missing_ <= missing_max) {
        cursor_.stop();
        return Trigger::no_answer;
    }
    if (result.kind == at::FinalKind::ok && answers_.asks_again()) {
        cursor_.try_at(now);  // the same once more
        return std::nullopt;
    }
    if (is_too_early(result) && ++early_tries_ <= early_tries_max) {
        return try_again(now);
    }
    if (result.kind != at::FinalKind::ok) {
        return refused(result, now);
    }
    return follow(now);
}

/// Without its ICCID the SIM would be taken for another one, with another quota and history; without SR, which a busy SIM denies, the
/// modem for one whose reports come directly.
bool StartUp::is_too_early(at::FinalResult result) const {
    const bool asked = cursor_.step() == InitStep::pin_card || cursor_.step() == InitStep::iccid;
    return (is_busy(profile_, result) && cursor_.row().need != Need::required) ||
           (asked && result.kind == at::FinalKind::ok && facts_.identity.iccid.empty());
}

/// After OK.
std::optional<Trigger> StartUp::follow(SteadyTime now) {
    const StepAnswer& answer = answers_.answer();
    cursor_.reset_pause();
    if (const auto to = next(turns, cursor_.step(), StepEnd::ok)) {
        return go_to(*to, now);
    }
    switch (cursor_.step()) {
        case InitStep::functionality:
            return judge_functionality(now);
        case InitStep::radio_on:
            return after_radio_on(now);
        case InitStep::events:
            if (answer.has_line && answers_.lacks_events()) {
                return go_to(InitStep::events_on, now);
            }
            break;
        case InitStep::pin_card:
            return sim_.ask_attempts(now);
        case InitStep::pin_attempts:
            return sim_.judge_attempts(answer.attempts_left, now);
        case InitStep::centre:
            if (answer.has_line && !answer.has_centre) {
                return judge_centre(now);
            }
            break;
        case InitStep::probe:
            if (rate_.is_fast() && !rate_.is_wanted()) {
                lower(true, now);
                return Trigger::answered;
            }
            break;
        case InitStep::rate_list:
            return judge_rates(now);
        case InitStep::phase_2_plus:
            facts_.confirms = true;
            break;
        case InitStep::memory_sr:
            facts_.reports_stored = true;
            break;
        default:
            break;
    }
    const InitStep done = cursor_.step();
    advance(now);
    if (!cursor_.is_running()) {
        missing_ = 0;
        restarts_ = 0;
        if (rate_.is_fast()) {
            rate_.works();
        }
        return Trigger::set_up;
    }
    const bool was_centre = done == InitStep::centre || done == InitStep::centre_set;
    if (was_centre && sim_.found()) {
        return Trigger::sim_found;
    }
    return done == InitStep::probe ? std::optional(Trigger::answered) : std::nullopt;
}

std::optional<Trigger> StartUp::judge_functionality(SteadyTime now) {
    const auto functionality = answers_.answer().functionality;
    if (!functionality && ++functionality_asked_ < functionality_asked_max) {
        return go_to(InitStep::functionality, now);  // octets of the answer were lost
    }
    functionality_asked_ = 0;
    if (functionality.value_or(1) != 1 && ++restarts_ <= restarts_max) {
        return go_to(InitStep::radio_on, now);
    }
    return advance(now);
}

/// A question that is outstanding would take what a modem says after its restart for its answer.
std::optional<Trigger> StartUp::after_radio_on(SteadyTime now) {
    if (!profile_.radio_on_restarts) {
        return advance(now);
    }
    rate_.to_base();
    return go_to(InitStep::echo_off, now + restart_limit);
}

std::optional<Trigger> StartUp::refused(at::FinalResult result, SteadyTime now) {
    if (cursor_.step() == InitStep::phase_2_plus) {
        facts_.confirms = false;
    }
    if (const auto to = next(turns, cursor_.step(), StepEnd::refused)) {
        return go_to(*to, now);
    }
    switch (cursor_.step()) {
        case InitStep::rate_list:
            rate_.refuse("the modem does not know AT+IPR");
            break;
        case InitStep::memory_sr:
            facts_.reports_stored = false;
            break;
        case InitStep::notify:
            if (facts_.reports_stored && is_not_supported(result)) {
                facts_.reports_stored = false;  // it has SR, but can't put reports there unasked
                return go_to(InitStep::notify, now);
            }
            break;
        case InitStep::pin_card:
            return sim_.ask_attempts(now);
        case InitStep::pin_attempts:
            return sim_.judge_attempts(0, now);
        case InitStep::centre_set:
            cursor_.go_to(InitStep::centre, now);
            return sim_.wait("no_centre",
                             "the SIM has no service centre and does not take the configured one; "
                             "set it by hand",
                             now);
        default:
            break;
    }
    if (cursor_.row().need != Need::required) {
        return advance(now);
    }
    reporter_.not_ready("starting", std::string(cursor_.row().command.text) + " answered " +
                                        at::to_text(result) +
                                        "; tried again until the modem takes it");
    return try_again(now);
}

std::optional<Trigger> StartUp::judge_pin_state(at::FinalResult result, SteadyTime now) {
    SimVerdict sim = judge_sim(result, answers_.answer().pin_state);
    switch (sim.state) {
        case SimState::ready: {
            const auto followed = follow(now);
            return sim_.found() ? std::optional(Trigger::sim_found) : followed;
        }
        case SimState::locked:
            return sim_.unlock(now);
        case SimState::unusable:
            return sim_.wait(sim.reason, std::move(sim.detail), now);
        case SimState::starting:
            break;
    }
    return refused(result, now);
}

std::optional<Trigger> StartUp::judge_centre(SteadyTime now) {
    if (settings_.smsc.empty()) {
        return sim_.wait("no_centre",
                         "the SIM has no number of a service centre; set `smsc` for this modem",
                         now);
    }
    reporter_.note(LogLevel::warn, "centre_restored",
                   "the SIM had no service centre; the configured one is written to it");
    return go_to(InitStep::centre_set, now);
}

// -- the rate of the port

/// The port is asked first: a modem at a rate that the port does not have is lost.
std::optional<Trigger> StartUp::judge_rates(SteadyTime now) {
    if (!lists_rate(answers_.answer().rates, settings_.fast_baud)) {
        rate_.refuse("the modem does not have the rate: " + answers_.answer().rates);
        return advance(now);
    }
    const bool port_has_it = rate_.to_fast();
    rate_.to_base();
    if (!port_has_it) {
        rate_.refuse("the port does not have the rate");
        return advance(now);
    }
    return go_to(InitStep::rate_raise, now);
}

/// Without an answer the modem may be at either rate.
std::optional<Trigger> StartUp::judge_raise(at::FinalResult result, SteadyTime now) {
    switch (result.kind) {
        case at::FinalKind::ok:
            (void)rate_.to_fast();
            rate_checks_ = 0;
            return go_to(InitStep::rate_check, now);
        case at::FinalKind::timed_out:
            rate_.refuse("the modem did not answer AT+IPR");
            cursor_.stop();
            return Trigger::no_answer;
        default:
            rate_.refuse("the modem refused the rate: " + at::to_text(result));
            return advance(now);
    }
}

std::optional<Trigger> StartUp::judge_check(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::ok) {
        return advance(now);
    }
    if (++rate_checks_ < rate_checks_max) {
        cursor_.try_at(now);
        return std::nullopt;
    }
    rate_.refuse("the modem does not answer at " + std::to_string(settings_.fast_baud) + " baud");
    return lower(false, now);
}

/// `first`: nothing of the script was done yet.
std::optional<Trigger> StartUp::lower(bool first, SteadyTime now) {
    lowered_first_ = first;
    return go_to(InitStep::rate_lower, now);
}

std::optional<Trigger> StartUp::judge_back(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::ok) {
        return lowered_first_ ? go_to(InitStep::echo_off, now) : advance(now);
    }
    if (++rate_checks_ < rate_checks_max) {
        cursor_.try_at(now);
        return std::nullopt;
    }
    cursor_.stop();
    return Trigger::no_answer;
}

}  // namespace smsrack::gsm
