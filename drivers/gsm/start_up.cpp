#include "drivers/gsm/start_up.hpp"

#include "drivers/gsm/fields.hpp"
#include "drivers/gsm/inbox_reader.hpp"
#include "drivers/gsm/self_diagnosis.hpp"
#include "src/ports/pin_card.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace smsrack::gsm {
namespace {

/// It says in some seconds that it has restarted; else it has not, or does not tell.
constexpr std::chrono::seconds restart_limit{15};

/// 3GPP TS 27.007 9.2: what AT+CPIN? says of a SIM that can't be used. Everything else passes with
/// time.
struct SimFault {
    at::FinalKind kind;
    int code;
    std::string_view reason;
    std::string_view detail;
};
constexpr std::array sim_faults{
    SimFault{at::FinalKind::cme_error, 10, "sim_absent", "no SIM in the modem; insert one"},
    SimFault{at::FinalKind::cme_error, 13, "sim_failure",
             "the SIM does not work; clean or replace it"},
    SimFault{at::FinalKind::cme_error, 15, "sim_failure", "the modem refuses this SIM; replace it"},
    SimFault{at::FinalKind::cms_error, 310, "sim_absent", "no SIM in the modem; insert one"},
    SimFault{at::FinalKind::cms_error, 313, "sim_failure",
             "the SIM does not work; clean or replace it"},
    SimFault{at::FinalKind::cms_error, 315, "sim_failure",
             "the modem refuses this SIM; replace it"},
};

/// 3GPP TS 27.005 3.2.5, TS 27.007 9.2.1: the modem does not know this at all, now or later.
bool is_not_supported(at::FinalResult result) {
    return result.kind == at::FinalKind::error ||
           result == at::FinalResult{at::FinalKind::cms_error, 303} ||
           result == at::FinalResult{at::FinalKind::cme_error, 4};
}

/// Of an older firmware the events that it can have: else its flash were written at each start.
bool has_wanted(unsigned events, const EventMask& mask) {
    return (events & mask.wanted) == mask.wanted ||
           (events <= mask.older_max && (events & mask.wanted) == (mask.wanted & mask.older_max));
}

/// 3GPP TS 27.005 3.2.5, TS 27.007 9.2.1: SIM busy, modem initialising. It will know in a moment.
bool is_busy(at::FinalResult result, const Profile& profile) {
    constexpr std::array busy{at::FinalResult{at::FinalKind::cme_error, 14},
                              at::FinalResult{at::FinalKind::cms_error, 314}};
    return std::ranges::find(busy, result) != busy.end() ||
           std::ranges::find(profile.busy, result) != profile.busy.end();
}

bool is_pin(const std::optional<std::string>& pin) {
    return pin && pin->size() >= 4 && pin->size() <= 8 &&
           std::ranges::all_of(*pin, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

StartUp::StartUp(at::AtChannel& channel, const Profile& profile, const ModemSettings& settings,
                 Facts& facts, Reporter& reporter)
    : channel_(channel),
      profile_(profile),
      settings_(settings),
      facts_(facts),
      reporter_(reporter),
      pause_(retry_first, retry_last) {}

void StartUp::begin(SteadyTime now) {
    facts_ = {};
    pause_.reset();
    early_tries_ = 0;
    sim_waited_ = false;
    booted_ = {};
    pin_asked_ = false;
    pin_refused_ = false;
    functionality_asked_ = 0;
    go_to(InitStep::probe, now);
}

void StartUp::poke(SteadyTime now) {
    if (row_ != nullptr && !pin_asked_) {
        pin_refused_ = false;  // perhaps another SIM
        pause_.reset();
        due_ = now;
    }
}

std::optional<Trigger> StartUp::go_to(InitStep step, SteadyTime now) {
    row_ = &profile_.init.row(step);
    begin_step(now);
    return std::nullopt;
}

void StartUp::advance(SteadyTime now) {
    do {
        row_ = profile_.init.next(row_->id);
    } while (row_ != nullptr && is_needless(row_->id));
    begin_step(now);
}

void StartUp::begin_step(SteadyTime now) {
    reading_.begin();
    functionality_.reset();
    due_ = now;
}

/// A modem that has not restarted has what it was told last, not what it begins with; and AT&W would keep our mark, AT+CREG=1.
bool StartUp::is_needless(InitStep step) const {
    switch (step) {
        case InitStep::booted_service:
        case InitStep::booted_notify:
            return facts_.mark_kept;
        case InitStep::keep_general:
            return facts_.mark_kept || kept_by_ == facts_.identity.imei || !boots_otherwise();
        default:
            return false;
    }
}

bool StartUp::boots_otherwise() const {
    const int service = facts_.confirms ? 1 : 0;
    const int ds = facts_.reports_stored ? 2 : 1;  // as notify_command() sets it
    return booted_.service.value_or(service) != service || booted_.mt.value_or(1) != 1 ||
           booted_.ds.value_or(ds) != ds;
}

std::optional<Trigger> StartUp::try_again(SteadyTime now) {
    due_ = now + pause_.take();
    return std::nullopt;
}

bool StartUp::speak(SteadyTime now) {
    if (row_ == nullptr || now < due_) {
        return false;
    }
    has_line_ = false;
    channel_.start(command_now(), now);
    return true;
}

at::Command StartUp::command_now() {
    at::Command command = row_->command;
    if (row_->id == InitStep::pin_enter) {
        text_ = std::string(command.text) + '"' + settings_.pin.value_or("") + '"';
        command.text = text_;
    } else if (row_->id == InitStep::centre_set) {
        text_ = centre_command(settings_.smsc);
        command.text = text_;
    } else if (row_->id == InitStep::notify) {
        command.text = notify_command(facts_);
    } else if (row_->id == InitStep::keep_general) {
        kept_by_ = facts_.identity.imei;  // once, even where it does not answer
    } else if (row_->id == InitStep::events_on || row_->id == InitStep::events_on_older) {
        const EventMask& known = profile_.event_mask;
        const auto mask = events_ | known.wanted;
        const auto possible = row_->id == InitStep::events_on ? mask : mask & known.older_max;
        text_ = std::string(command.text) + std::to_string(possible);
        command.text = text_;
    }
    return command;
}

void StartUp::on_line(at::LineKind, std::string_view line, SteadyTime) {
    auto& identity = facts_.identity;
    has_line_ = true;
    switch (row_->id) {
        case InitStep::imei:
            identity.imei = number_of(line);
            has_line_ = !identity.imei.empty();
            reading_.take(Identity::imei, identity.imei);
            return;
        case InitStep::imsi:
            identity.imsi = number_of(line);
            has_line_ = !identity.imsi.empty();
            reading_.take(Identity::imsi, identity.imsi);
            return;
        case InitStep::pin_card:
        case InitStep::iccid:
            identity.iccid = iccid_of(line);
            reading_.take(Identity::iccid, identity.iccid);
            return;
        case InitStep::model:
            identity.model = line;
            return;
        case InitStep::revision:
            identity.revision = line;
            return;
        case InitStep::own_number:
            identity.number = field(line, 1);
            return;
        case InitStep::mark:
            facts_.mark_kept = number_field(line, 0).value_or(0) != 0;
            return;
        case InitStep::functionality:
            functionality_ = number_field(line, 0);
            return;
        case InitStep::events:
            events_ = static_cast<unsigned>(std::max(0, number_field(line, 0).value_or(0)));
            return;
        case InitStep::pin_state:
            pin_state_ = field(line, 0);
            return;
        case InitStep::centre:
            has_centre_ = !field(line, 0).empty();
            return;
        case InitStep::memory_sm:
            facts_.storage_used = number_field(line, 0).value_or(0);
            facts_.storage_total = number_field(line, 1).value_or(0);
            return;
        case InitStep::booted_service:
            booted_.service = number_field(line, 0);
            return;
        case InitStep::booted_notify:
            booted_.mt = number_field(line, 1);
            booted_.ds = number_field(line, 3);
            return;
        case InitStep::pin_attempts:
            attempts_left_ = number_field(line, profile_.pin_fields.pin).value_or(0);
            return;
        default:
            return;
    }
}

/// An answer without its information line is not the answer to this command: out of step.
bool StartUp::is_information_missing(at::FinalResult result) const {
    return result.kind == at::FinalKind::ok && row_->need == at::Need::required &&
           has_information(row_->command) && row_->id != InitStep::phase_2_plus &&
           row_->id != InitStep::memory_sm && !has_line_;
}

std::optional<Trigger> StartUp::on_final(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::timed_out) {
        row_ = nullptr;
        return Trigger::no_answer;
    }
    if (row_->id == InitStep::pin_state) {
        return judge_pin_state(result, now);
    }
    if (row_->id == InitStep::pin_enter) {
        return end_pin(result, now);
    }
    if (is_information_missing(result) && ++missing_ <= missing_max) {
        row_ = nullptr;
        return Trigger::no_answer;
    }
    if (result.kind == at::FinalKind::ok && reading_.asks_again()) {
        due_ = now;  // the same once more
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
    const bool asked = row_->id == InitStep::pin_card || row_->id == InitStep::iccid;
    return (is_busy(result, profile_) && row_->need == at::Need::optional) ||
           (asked && result.kind == at::FinalKind::ok && facts_.identity.iccid.empty());
}

/// After OK.
std::optional<Trigger> StartUp::follow(SteadyTime now) {
    pause_.reset();
    switch (row_->id) {
        case InitStep::functionality:
            if (!functionality_ && ++functionality_asked_ < functionality_asked_max) {
                return go_to(InitStep::functionality, now);  // octets of the answer were lost
            }
            functionality_asked_ = 0;
            if (functionality_.value_or(1) != 1 && ++restarts_ <= restarts_max) {
                return go_to(InitStep::radio_on, now);
            }
            break;
        case InitStep::radio_on:
            if (profile_.radio_on_restarts) {
                // A question in hand would take what it says then for its answer.
                go_to(InitStep::echo_off, now);
                due_ = now + restart_limit;
                return std::nullopt;
            }
            break;
        case InitStep::events:
            if (has_line_ && !has_wanted(events_, profile_.event_mask)) {
                return go_to(InitStep::events_on, now);
            }
            break;
        case InitStep::pin_card:
            return ask_attempts(now);
        case InitStep::pin_attempts:
            attempts_left_ = has_line_ ? attempts_left_ : 0;  // not those of another time
            return judge_pin_attempts(now);
        case InitStep::centre:
            if (has_line_ && !has_centre_) {
                return judge_centre(now);
            }
            break;
        case InitStep::phase_2_plus:
            facts_.confirms = true;
            break;
        case InitStep::memory_sr:
            facts_.reports_stored = true;
            break;
        case InitStep::keep_general:
            return go_to(InitStep::keep_sms, now);
        default:
            break;
    }
    const bool was_probe = row_->id == InitStep::probe;
    const bool was_centre = row_->id == InitStep::centre || row_->id == InitStep::centre_set;
    advance(now);
    if (row_ == nullptr) {
        missing_ = 0;
        restarts_ = 0;
        return Trigger::set_up;
    }
    if (was_centre && std::exchange(sim_waited_, false)) {
        return Trigger::sim_found;
    }
    return was_probe ? std::optional(Trigger::answered) : std::nullopt;
}

std::optional<Trigger> StartUp::refused(at::FinalResult result, SteadyTime now) {
    switch (row_->id) {
        case InitStep::phase_2_plus:
            facts_.confirms = false;
            return go_to(InitStep::phase_2, now);
        case InitStep::memory_sr:
            facts_.reports_stored = false;
            break;
        case InitStep::notify:
            if (facts_.reports_stored && is_not_supported(result)) {
                facts_.reports_stored = false;  // it has SR, but can't put reports there unasked
                return go_to(InitStep::notify, now);
            }
            break;
        case InitStep::events_on:
            return go_to(InitStep::events_on_older, now);
        case InitStep::keep_general:
            return go_to(InitStep::keep_sms, now);
        case InitStep::pin_attempts:
            attempts_left_ = 0;
            return judge_pin_attempts(now);
        case InitStep::pin_card:
            return ask_attempts(now);
        case InitStep::centre_set:
            go_to(InitStep::centre, now);
            return wait_for_sim("no_centre",
                                "the SIM has no service centre and does not take the configured "
                                "one; set it by hand",
                                now);
        default:
            break;
    }
    if (row_->need == at::Need::optional) {
        advance(now);
        return std::nullopt;
    }
    reporter_.not_ready("starting", std::string(row_->command.text) + " answered " +
                                        at::to_text(result) +
                                        "; tried again until the modem takes it");
    return try_again(now);
}

std::optional<Trigger> StartUp::judge_pin_state(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::ok && pin_state_ == "READY" && has_line_) {
        const auto followed = follow(now);
        return std::exchange(sim_waited_, false) ? std::optional(Trigger::sim_found) : followed;
    }
    if (result.kind == at::FinalKind::ok && has_line_) {
        if (pin_state_ == "SIM PIN" && is_pin(settings_.pin) && !pin_refused_) {
            facts_.identity.iccid.clear();
            return ask_card(now);
        }
        return pin_state_ == "SIM PIN"
                   ? wait_for_sim(
                         "sim_pin",
                         pin_refused_
                             ? "the SIM did not take the configured PIN; it is not tried again"
                             : "the SIM wants its PIN; set `pin` for this modem (4 to 8 digits)",
                         now)
                   : wait_for_sim("sim_puk",
                                  "the SIM is locked (" + pin_state_ + "); unlock it by hand", now);
    }
    for (const auto& fault : sim_faults) {
        if (result.kind == fault.kind && result.code == fault.code) {
            return wait_for_sim(fault.reason, std::string(fault.detail), now);
        }
    }
    return refused(result, now);  // busy, or starting
}

/// Of a modem that can't tell the card of a locked SIM, or the attempts, that is not asked.
std::optional<Trigger> StartUp::ask_card(SteadyTime now) {
    return profile_.init.has(InitStep::pin_card) ? go_to(InitStep::pin_card, now)
                                                 : ask_attempts(now);
}

std::optional<Trigger> StartUp::ask_attempts(SteadyTime now) {
    if (profile_.init.has(InitStep::pin_attempts)) {
        return go_to(InitStep::pin_attempts, now);
    }
    attempts_left_ = 0;
    return judge_pin_attempts(now);
}

std::optional<Trigger> StartUp::judge_pin_attempts(SteadyTime now) {
    if (attempts_left_ >= pin_attempts_min) {
        return ask_for_pin(now);
    }
    go_to(InitStep::pin_state, now);
    return wait_for_sim(
        "sim_pin",
        "too few PIN attempts are left, or the modem does not say how many; enter it by hand", now);
}

/// Nothing is said until enter_pin().
std::optional<Trigger> StartUp::ask_for_pin(SteadyTime now) {
    const auto& identity = facts_.identity;
    go_to(InitStep::pin_enter, now);
    due_ = never;
    pin_asked_ = true;
    pin_ = {.card = ports::pin_card(
                {.iccid = identity.iccid, .imei = identity.imei, .port = settings_.port.path}),
            .value = settings_.pin_value,
            .attempts_left = attempts_left_};
    reporter_.tell(ports::PinWanted{pin_});
    return std::nullopt;
}

std::optional<Trigger> StartUp::enter_pin(const ports::PinTry& pin, ports::PinVerdict verdict,
                                          SteadyTime now) {
    if (!pin_asked_ || pin.card != pin_.card) {
        return std::nullopt;  // the modem restarted meanwhile
    }
    pin_asked_ = false;
    switch (verdict) {
        case ports::PinVerdict::enter:
            due_ = now;
            return std::nullopt;
        case ports::PinVerdict::refused:
            pin_refused_ = true;
            go_to(InitStep::pin_state, now);
            return wait_for_sim("sim_pin",
                                "the SIM did not take the configured PIN earlier; it is not tried "
                                "again: enter it by hand, or configure the right one",
                                now);
        case ports::PinVerdict::later:
            break;
    }
    go_to(InitStep::pin_state, now);
    return wait_for_sim("sim_pin",
                        "the PIN waits until it can be written to the disk that it was tried", now);
}

/// A busy SIM has not looked at it; whatever else is not OK counts as a failure.
std::optional<Trigger> StartUp::end_pin(at::FinalResult result, SteadyTime now) {
    constexpr at::FinalResult sim_busy{at::FinalKind::cme_error, 14};
    const bool taken = result.kind == at::FinalKind::ok;
    go_to(InitStep::pin_state, now);
    if (taken) {
        pause_.reset();
        reporter_.tell(ports::PinTried{pin_, true});
        return std::nullopt;
    }
    if (result != sim_busy) {
        pin_refused_ = true;
        reporter_.tell(ports::PinTried{pin_, false});
    }
    return try_again(now);
}

std::optional<Trigger> StartUp::judge_centre(SteadyTime now) {
    if (settings_.smsc.empty()) {
        return wait_for_sim("no_centre",
                            "the SIM has no number of a service centre; set `smsc` for this modem",
                            now);
    }
    reporter_.note(LogLevel::warn, "centre_restored",
                   "the SIM had no service centre; the configured one is written to it");
    return go_to(InitStep::centre_set, now);
}

std::optional<Trigger> StartUp::wait_for_sim(std::string_view reason, std::string detail,
                                             SteadyTime now) {
    reporter_.not_ready(reason, std::move(detail));
    sim_waited_ = true;
    try_again(now);
    return Trigger::sim_missing;
}

}  // namespace smsrack::gsm
