#include "drivers/gsm/inbox/direct_inbox.hpp"

#include "drivers/at/pdu_line.hpp"

#include <utility>

namespace smsrack::gsm {
namespace {

constexpr Place direct_place{Memory::direct, 0};
constexpr std::chrono::seconds confirm_answer{5};

}  // namespace

DirectInbox::DirectInbox(const Facts& facts, InboxShelf& shelf, NotifySetup& notify,
                         Reporter& reporter)
    : facts_(facts), shelf_(shelf), notify_(notify), reporter_(reporter) {
    waiting_.reserve(direct_bound);
}

void DirectInbox::drop_waiting() {
    if (facts_.confirms) {  // else the modem has confirmed them, and there is no other copy
        waiting_.clear();
    }
}

/// One that is not whole is refused, so that the network sends it again.
void DirectInbox::take(std::string_view header, std::string_view pdu_hex, std::size_t room_kept,
                       SteadyTime now) {
    const bool report = header.starts_with("+CDS:");
    if (facts_.confirms) {  // one at a time: the modem has given up the one before
        shelf_.give_up_direct();
        drop_waiting();
    }
    auto pdu = at::pdu_fits(header, pdu_hex) ? at::octets_of(pdu_hex) : std::nullopt;
    if (!pdu || (!has_room(room_kept) && waiting_.size() == direct_bound)) {
        reporter_.note(LogLevel::warn, "direct_dropped",
                       "not confirmed, so the network sends it again");
        notify_.refuse();
        notify_.set_again();
        return;
    }
    if (has_room(room_kept)) {
        tell(report, std::move(*pdu), now);
    } else {
        waiting_.push_back({report, std::move(*pdu), now});
    }
}

void DirectInbox::tell_waiting(std::size_t room_kept) {
    while (!waiting_.empty() && has_room(room_kept)) {
        Waiting first = std::move(waiting_.front());
        waiting_.erase(waiting_.begin());
        tell(first.report, std::move(first.pdu), first.came_at);
    }
}

void DirectInbox::tell(bool report, std::string pdu, SteadyTime came_at) {
    reporter_.tell(ports::ReceivedPdu{
        .token = shelf_.hold(direct_place, came_at),
        .status_report = report,
        .pdu = std::move(pdu),
        .held_at = facts_.confirms ? std::optional(held_place(direct_place)) : std::nullopt});
}

std::optional<at::Command> DirectInbox::next(SteadyTime now) {
    while (auto* held = shelf_.acknowledged_in(Memory::direct)) {
        if (facts_.confirms && !held->stale && now <= held->came_at + confirm_limit) {
            return at::Command{.text = "AT+CNMA", .timeout = confirm_answer};
        }
        if (facts_.confirms) {
            notify_.set_again();
        }
        shelf_.release(*held);  // CSMS=0: the modem has confirmed it by itself
    }
    return std::nullopt;
}

void DirectInbox::on_final(at::FinalResult result, SteadyTime now) {
    auto* held = shelf_.acknowledged_in(Memory::direct);
    if (held == nullptr) {
        return;
    }
    if (result.kind != at::FinalKind::ok || now > held->came_at + confirm_limit) {
        notify_.set_again();
    }
    if (result.kind == at::FinalKind::ok) {
        reporter_.tell(ports::PduErased{held_place(held->place)});
        notify_.confirmed(now);
    }
    shelf_.release(*held);
}

void DirectInbox::cut_off() {
    if (auto* held = shelf_.acknowledged_in(Memory::direct)) {
        shelf_.release(*held);
        notify_.set_again();
    }
}

}  // namespace smsrack::gsm
