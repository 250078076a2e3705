/// What InboxReader does about PDUs that come directly (+CMT, +CDS): taken, confirmed, and the modem kept at it.
#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/fields.hpp"
#include "drivers/gsm/inbox_reader.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

constexpr auto store_limit = 5s;

}  // namespace

std::string_view notify_command(const Facts& facts, bool pushed) {
    if (facts.reports_stored) {
        return pushed ? "AT+CNMI=2,2,0,2,0" : "AT+CNMI=2,1,0,2,0";
    }
    return pushed ? "AT+CNMI=2,2,0,1,0" : "AT+CNMI=2,1,0,1,0";
}

/// One that is not whole is refused, so that the network sends it again.
void InboxReader::on_direct(std::string_view header, std::string_view pdu_hex, SteadyTime now) {
    const bool report = header.starts_with("+CDS:");
    if (facts_.confirms) {  // one at a time: the modem has given up the one before
        shelf_.give_up_direct();
        drop_waiting();
    }
    auto pdu = at::pdu_fits(header, pdu_hex) ? at::octets_of(pdu_hex) : std::nullopt;
    if (!pdu || (!may_take_direct() && waiting_.size() == direct_bound)) {
        reporter_.note(LogLevel::warn, "direct_dropped",
                       "not confirmed, so the network sends it again");
        refuse_due_ = facts_.confirms && can_refuse_;
        service_due_ = notify_due_ = true;
        return;
    }
    if (may_take_direct()) {
        tell({Memory::direct, 0}, report, std::move(*pdu), now);
    } else {
        waiting_.push_back({report, std::move(*pdu), now});
    }
}

void InboxReader::tell_waiting() {
    while (!waiting_.empty() && may_take_direct()) {
        Direct first = std::move(waiting_.front());
        waiting_.erase(waiting_.begin());
        tell({Memory::direct, 0}, first.report, std::move(first.pdu), first.came_at);
    }
}

void InboxReader::drop_waiting() {
    if (facts_.confirms) {  // else the modem has confirmed them, and there is no other copy
        waiting_.clear();
    }
}

/// Refusing comes first: what a service before this one left without +CNMA blocks the modem until it gives up, and then it tells of
/// nothing more; refused, the network sends it again.
bool InboxReader::speak_confirm(SteadyTime now) {
    while (auto* held = shelf_.acknowledged_in(Memory::direct)) {
        if (facts_.confirms && !held->stale && now <= held->came_at + confirm_limit) {
            return start(Job::confirm, {.text = "AT+CNMA", .timeout = store_limit}, now);
        }
        if (facts_.confirms) {  // too late: AT+CNMA would confirm another one, which is not on disk
            service_due_ = notify_due_ = true;
        }
        shelf_.release(*held);  // CSMS=0: the modem has confirmed it by itself
    }
    if (refuse_due_ && !shelf_.awaits_confirmation() && waiting_.empty()) {
        refuse_due_ = false;
        return start(Job::refuse, {.text = "AT+CNMA=2", .timeout = store_limit}, now);
    }
    if (std::exchange(service_due_, false)) {
        return start(Job::set_service,
                     {.text = facts_.confirms ? "AT+CSMS=1" : "AT+CSMS=0",
                      .prefix = "+CSMS:",
                      .timeout = store_limit},
                     now);
    }
    return speak_notify(now);
}

bool InboxReader::speak_notify(SteadyTime now) {
    const auto wish = now >= notify_not_before_ ? push_.wish(now) : std::nullopt;
    if (std::exchange(notify_due_, false) || wish) {
        pushing_ = wish.value_or(push_.pushes());
        return start(Job::set_notify,
                     {.text = notify_command(facts_, pushing_), .timeout = store_limit}, now);
    }
    if (now >= ask_notify_at_) {
        const bool is_direct = !facts_.reports_stored || push_.pushes();
        ask_notify_at_ = now + (is_direct ? notify_asked : settings_.sweep);
        return start(Job::ask_notify,
                     {.text = "AT+CNMI?", .prefix = "+CNMI:", .timeout = store_limit}, now);
    }
    return false;
}

bool InboxReader::speak_storing(SteadyTime now) {
    hold_ = Hold::told;
    pushing_ = false;
    return start(Job::set_notify, {.text = notify_command(facts_, false), .timeout = store_limit},
                 now);
}

/// A direct one whose line was lost, or that came before the set-up or to a service that died with it, was never confirmed: the modem
/// then sets <mt> and <ds> to 0 (3GPP TS 27.005 3.4.1), after this set-up too, and tells of nothing any more.
void InboxReader::on_notify(std::string_view line, SteadyTime now) {
    const int stored_or_pushed = push_.pushes() ? 2 : 1;
    if (number_field(line, 1) != stored_or_pushed || number_field(line, 3) == 0) {
        reporter_.note(LogLevel::warn, "notify_lost",
                       "the modem had ceased to tell what it receives; set again");
        service_due_ = notify_due_ = true;
        sweep(now);
    }
}

void InboxReader::end_notify(at::FinalResult result, SteadyTime now) {
    if (result.kind != at::FinalKind::ok && pushing_) {
        reporter_.note(LogLevel::info, "push_refused", "the modem stores what it receives");
        push_.refused();
    }
    if (result.kind != at::FinalKind::ok) {
        notify_not_before_ = now + retry_pause;
        return;
    }
    push_.told(pushing_);
    if (pushing_) {
        ask_notify_at_ = std::min(ask_notify_at_, now + notify_asked);
    }
}

/// One that came and was confirmed says all that AT+CNMI? would.
void InboxReader::modem_tells(SteadyTime now) {
    if (ask_notify_at_ != never && !service_due_ && !notify_due_) {
        ask_notify_at_ = std::max(ask_notify_at_, now + notify_asked);
    }
}

void InboxReader::end_confirm(at::FinalResult result, SteadyTime now) {
    auto* held = shelf_.acknowledged_in(Memory::direct);
    if (held == nullptr) {
        return;
    }
    if (result.kind != at::FinalKind::ok || now > held->came_at + confirm_limit) {
        service_due_ = notify_due_ = true;
    }
    if (result.kind == at::FinalKind::ok) {
        reporter_.tell(ports::PduErased{held_place(held->place)});
        modem_tells(now);
    }
    shelf_.release(*held);
}

}  // namespace smsrack::gsm
