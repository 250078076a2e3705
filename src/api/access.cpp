#include "src/api/access.hpp"

#include <algorithm>

namespace smsrack::api {

bool may(const wire::Peer* peer, Role wanted, const AccessRules& rules) {
    if (wanted == Role::user) {
        return true;
    }
    if (peer == nullptr || !peer->known) {
        return false;
    }
    if (peer->uid == 0 || peer->uid == rules.own_uid) {
        return true;
    }
    if (!rules.admin_group) {
        return false;
    }
    return peer->gid == *rules.admin_group ||
           std::ranges::find(peer->groups, *rules.admin_group) != peer->groups.end();
}

}  // namespace smsrack::api
