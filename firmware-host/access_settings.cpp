#include "firmware-host/access_settings.hpp"

#include "firmware-host/setup/local_accounts.hpp"

#include <unistd.h>

namespace smsrack::host {

api::AccessRules access_rules(const config::Settings& settings, Log& log) {
    api::AccessRules rules{.own_uid = ::geteuid(),
                           .read_group = local_group("smsrack-read"),
                           .admin_group = local_group("smsrack-admin")};
    for (const config::ClientSettings& client : settings.client_list) {
        if (client.user.empty()) {
            continue;
        }
        if (const auto uid = local_user(client.user)) {
            rules.clients.push_back({.uid = *uid, .client = client.name});
        } else {
            log.warn("client_user_unknown", {{"client", client.name}, {"user", client.user}});
        }
    }
    return rules;
}

}  // namespace smsrack::host
