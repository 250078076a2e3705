/// Who may call what over the local socket. Who can open the socket (its file mode) may do
/// everything but administer.
///
/// Source:  contract api.md, "Who may".
#pragma once

#include "src/wire/http_message.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::api {

enum class Role : std::uint8_t {
    user,   ///< anybody who could open the socket
    admin,  ///< root, the service's own user, group smsrack-admin
};

struct AccessRules {
    std::uint32_t own_uid = 0;                      ///< of the service
    std::optional<std::uint32_t> admin_group = {};  ///< smsrack-admin, where the system has it
};

[[nodiscard]] bool may(const wire::Peer* peer, Role wanted, const AccessRules& rules);

}  // namespace smsrack::api
