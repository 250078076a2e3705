// What the door knows, from one run of the service to the next.
#include "src/overload/admission.hpp"

namespace smsrack::overload {

std::vector<GroupCarried> Admission::carried() const {
    const std::lock_guard lock(mutex_);
    std::vector<GroupCarried> all;
    for (const Group& group : groups_) {
        GroupCarried& to = all.emplace_back();
        to.name = group.name;
        to.no_line_since = group.no_line_since;
        responses_.carry(group.id, to);
        for (std::size_t l = 0; l < level_count; ++l) {
            const AtLevel& at = group.levels.at(l);
            LevelCarried& level = to.levels.at(l);
            level.accepted = at.accepted.carried();
            level.arrived = at.arrived;
            level.promises = at.promises.carried();
            if (at.probe) {
                level.probe = at.probe->carried();
            }
        }
    }
    return all;
}

/// What was admitted and not settled is not carried: a run leaves when all is answered.
void Admission::adopt(const std::vector<GroupCarried>& left) {
    const std::lock_guard lock(mutex_);
    for (const GroupCarried& from : left) {
        Group* const group = find(from.name);
        if (group == nullptr) {  // no line of this configuration is in it
            continue;
        }
        group->no_line_since = from.no_line_since;
        responses_.adopt(group->id, from);
        for (std::size_t l = 0; l < level_count; ++l) {
            AtLevel& at = group->levels.at(l);
            const LevelCarried& level = from.levels.at(l);
            at.accepted.adopt(level.accepted);
            at.arrived = level.arrived;
            at.promises.adopt(level.promises);
            if (level.probe) {
                at.probe.emplace(*level.probe);
            }
        }
    }
}

}  // namespace smsrack::overload
