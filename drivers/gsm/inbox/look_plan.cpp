#include "drivers/gsm/inbox/look_plan.hpp"

#include <algorithm>

namespace smsrack::gsm {

void LookPlan::begin(SteadyTime now) {
    tries_ = {};
    blocked_until_ = {};
    list_at_ = {now, facts_.reports_stored ? now : never, never};
    ask_at_ = facts_.confirms ? now + notify_asked : never;
}

void LookPlan::adopt(const MemoryTimes& list_at) {
    list_at_ = list_at;
    ask_at_ = facts_.confirms ? SteadyTime{} : never;
}

void LookPlan::sweep(SteadyTime now) {
    list_at_[at(Memory::sm)] = now;
    if (facts_.reports_stored) {
        list_at_[at(Memory::sr)] = now;
    }
}

void LookPlan::look_soon(SteadyTime now) {
    const SteadyTime soon = std::max(now + retry_pause, look_not_before_);
    if (list_at_[at(Memory::sm)] <= soon) {
        return;  // a hint before this one has ordered it
    }
    look_not_before_ = soon + look_pause;
    list_at_[at(Memory::sm)] = soon;
    if (facts_.reports_stored) {
        list_at_[at(Memory::sr)] = std::min(list_at_[at(Memory::sr)], soon);
    }
    if (facts_.confirms) {
        ask_at_ = std::min(ask_at_, soon);
    }
}

/// A busy SIM soon answers (3GPP TS 27.005 3.2.5, 314). nullopt: not before the next sweep.
std::optional<SteadyTime> LookPlan::after_failure(Memory memory, SteadyTime now) {
    std::uint8_t& tries = tries_[at(memory)];
    if (++tries == tries_max) {
        tries = 0;
        return std::nullopt;
    }
    return now + retry_pause * (1U << (tries - 1U));
}

bool LookPlan::list_failed(Memory memory, SteadyTime now) {
    const auto again = after_failure(memory, now);
    list_at_[at(memory)] = again.value_or(list_at_[at(memory)]);
    return again.has_value();
}

bool LookPlan::select_failed(Memory memory, SteadyTime now) {
    const auto again = after_failure(memory, now);
    block(memory, again.value_or(now + settings_.sweep));
    return again.has_value();
}

void LookPlan::unblock(SteadyTime now) {
    for (SteadyTime& until : blocked_until_) {
        until = now >= until ? SteadyTime{} : until;
    }
}

SteadyTime LookPlan::next_turn(bool may_list) const {
    SteadyTime next = ask_at_;
    for (std::size_t memory = 0; memory < memory_count; ++memory) {
        if (may_list) {
            next = std::min(next, std::max(list_at_[memory], blocked_until_[memory]));
        }
        if (blocked_until_[memory] != SteadyTime{}) {
            next = std::min(next, blocked_until_[memory]);
        }
    }
    return next;
}

}  // namespace smsrack::gsm
