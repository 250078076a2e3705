#include "src/line/slot_check.hpp"

namespace smsrack::line {
namespace {

std::string sentence(bool refused, const ports::SlotSeen& now, const ports::SlotKnown& before) {
    const std::string from =
        before.card_was_in.empty() ? std::string() : " (last in " + before.card_was_in + ")";
    const std::string found = "the SIM " + now.card + from + " is where " + before.card + " was";
    return refused ? found + "; put that one back, or set sim_policy for this modem" : found;
}

}  // namespace

SlotVerdict judge_slot(ports::SimPolicy policy, const ports::SlotSeen& now,
                       const ports::SlotKnown& before) {
    SlotVerdict verdict{.modem_changed = !before.imei.empty() && before.imei != now.imei,
                        .sim_changed = !before.card.empty() && before.card != now.card};
    if (verdict.sim_changed) {
        verdict.refused = policy == ports::SimPolicy::refuse;
        verdict.is_expected = policy == ports::SimPolicy::adopt;
        verdict.detail = sentence(verdict.refused, now, before);
    }
    return verdict;
}

}  // namespace smsrack::line
