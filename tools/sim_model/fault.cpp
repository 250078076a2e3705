#include "tools/sim_model/fault.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::sim {
namespace {

constexpr std::array<std::pair<FaultKind, std::string_view>, 17> names{{
    {FaultKind::hang, "hang"},
    {FaultKind::unhang, "unhang"},
    {FaultKind::reboot, "reboot"},
    {FaultKind::lose_answer, "lose_answer"},
    {FaultKind::late_answer, "late_answer"},
    {FaultKind::lose_report, "lose_report"},
    {FaultKind::cms_error, "cms_error"},
    {FaultKind::network_lost, "network_lost"},
    {FaultKind::network_back, "network_back"},
    {FaultKind::sim_removed, "sim_removed"},
    {FaultKind::sim_inserted, "sim_inserted"},
    {FaultKind::storage_full, "storage_full"},
    {FaultKind::storage_free, "storage_free"},
    {FaultKind::garbage, "garbage"},
    {FaultKind::split, "split"},
    {FaultKind::interleave, "interleave"},
    {FaultKind::drop_prompt, "drop_prompt"},
}};

}  // namespace

std::string_view fault_name(FaultKind kind) {
    return std::ranges::find(names, kind, &std::pair<FaultKind, std::string_view>::first)->second;
}

std::optional<FaultKind> fault_of(std::string_view name) {
    const auto* found =
        std::ranges::find(names, name, &std::pair<FaultKind, std::string_view>::second);
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

}  // namespace smsrack::sim
