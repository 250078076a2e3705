#include "firmware-host/net/connection_places.hpp"

#include <algorithm>

namespace smsrack::net {

ConnectionPlaces::Answer ConnectionPlaces::ask(std::uint32_t account, bool privileged) const {
    if (!privileged && of(account) >= limits_.per_account) {
        return {Action::exchange, account};
    }
    const std::size_t places =
        privileged ? limits_.connections
                   : limits_.connections - std::min(limits_.kept, limits_.connections - 1);
    if (all_ < places) {
        return {Action::take, account};
    }
    std::uint32_t greediest = account;
    std::size_t most = privileged ? 0 : of(account) + 1;
    for (const auto& [other, has] : accounts_) {
        if (!has.privileged && has.connections > most) {
            greediest = other;
            most = has.connections;
        }
    }
    return {greediest == account ? Action::exchange : Action::replace, greediest};
}

void ConnectionPlaces::taken(std::uint32_t account, bool privileged) {
    Account& entry = accounts_[account];
    ++entry.connections;
    entry.privileged = privileged;
    ++all_;
}

void ConnectionPlaces::gone(std::uint32_t account) {
    const auto found = accounts_.find(account);
    if (found == accounts_.end()) {
        return;
    }
    --all_;
    if (--found->second.connections == 0) {
        accounts_.erase(found);
    }
}

std::size_t ConnectionPlaces::of(std::uint32_t account) const {
    const auto found = accounts_.find(account);
    return found == accounts_.end() ? 0 : found->second.connections;
}

}  // namespace smsrack::net
