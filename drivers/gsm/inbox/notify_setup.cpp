#include "drivers/gsm/inbox/notify_setup.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::gsm {
namespace {

constexpr std::chrono::seconds notify_limit{5};

}  // namespace

std::string_view notify_command(const Facts& facts, bool pushed) {
    if (facts.reports_stored) {
        return pushed ? "AT+CNMI=2,2,0,2,0" : "AT+CNMI=2,1,0,2,0";
    }
    return pushed ? "AT+CNMI=2,2,0,1,0" : "AT+CNMI=2,1,0,1,0";
}

void NotifySetup::begin(SteadyTime now) {
    push_.begin(facts_.confirms && settings_.push, now);
    due_ = Due::nothing;
    if (refusal_ != Refusal::given_up) {
        const bool direct = facts_.confirms && (settings_.push || !facts_.reports_stored);
        refusal_ = direct ? Refusal::due : Refusal::none;
    }
}

void NotifySetup::adopt(bool again) {
    push_.adopt(facts_.confirms && settings_.push);
    if (again) {
        set_again();
        refuse();
    }
}

void NotifySetup::refuse() {
    if (facts_.confirms && refusal_ != Refusal::given_up) {
        refusal_ = Refusal::due;
    }
}

void NotifySetup::confirmed(SteadyTime now) {
    if (!is_due_again()) {
        plan_.notified(now);
    }
}

/// Refusing comes first: what a service before this one left without +CNMA blocks the modem until it gives
/// up, and then it notifies of nothing more; refused, the network sends it again.
std::optional<at::Command> NotifySetup::next(SteadyTime now, bool may_refuse) {
    if (is_held()) {
        return owes_storing() ? std::optional(begin_notify(false)) : std::nullopt;
    }
    if (refusal_ == Refusal::due && may_refuse) {
        refusal_ = Refusal::none;
        return begin_step(Step::refuse, {.text = "AT+CNMA=2", .timeout = notify_limit});
    }
    if (due_ == Due::service) {
        due_ = Due::notify;
        return begin_step(Step::set_service, {.text = facts_.confirms ? "AT+CSMS=1" : "AT+CSMS=0",
                                              .prefix = "+CSMS:",
                                              .timeout = notify_limit});
    }
    const auto wish = now >= not_before_ ? push_.wish(now) : std::nullopt;
    if (std::exchange(due_, Due::nothing) == Due::notify || wish) {
        return begin_notify(wish.value_or(push_.pushes()));
    }
    if (plan_.is_ask_due(now)) {
        plan_.asks(!facts_.reports_stored || push_.pushes(), now);
        return begin_step(Step::ask,
                          {.text = "AT+CNMI?", .prefix = "+CNMI:", .timeout = notify_limit});
    }
    return std::nullopt;
}

at::Command NotifySetup::begin_notify(bool pushed) {
    hold_ = is_held() ? Hold::told : Hold::no;
    pushing_ = pushed;
    return begin_step(Step::set_notify,
                      {.text = notify_command(facts_, pushed), .timeout = notify_limit});
}

SteadyTime NotifySetup::next_turn() const {
    if (is_held()) {
        return owes_storing() ? SteadyTime{} : never;
    }
    return push_.due_at();
}

/// A direct one whose line was lost, or that came before the set-up or to a service that died with it, was
/// never confirmed: the modem then sets <mt> and <ds> to 0 (3GPP TS 27.005 3.4.1), after this set-up too.
void NotifySetup::on_line(std::string_view line, SteadyTime now) {
    const int stored_or_pushed = push_.pushes() ? 2 : 1;
    if (step_ == Step::ask &&
        (number_field(line, 1) != stored_or_pushed || number_field(line, 3) == 0)) {
        reporter_.note(LogLevel::warn, "notify_lost",
                       "the modem had ceased to tell what it receives; set again");
        set_again();
        plan_.sweep(now);
    }
}

void NotifySetup::on_final(at::FinalResult result, SteadyTime now) {
    const Step step = std::exchange(step_, Step::none);
    const bool timed_out = result.kind == at::FinalKind::timed_out;
    if (step == Step::refuse && timed_out) {
        refusal_ = Refusal::given_up;
    } else if (step == Step::set_notify && !timed_out) {
        end_notify(result, now);
    }
}

void NotifySetup::end_notify(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::ok) {
        push_.told(pushing_);
        if (pushing_) {
            plan_.ask_within(LookPlan::notify_asked, now);
        }
        return;
    }
    not_before_ = now + LookPlan::retry_pause;
    if (pushing_) {
        reporter_.note(LogLevel::info, "push_refused", "the modem stores what it receives");
        push_.refused();
    }
}

}  // namespace smsrack::gsm
