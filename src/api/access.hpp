/// The caller on the local socket, as the kernel reports it, and the text of a refusal for it.
///
/// Group smsrack-api may open the socket (its file mode), which gives role `send`. Its members who are in smsrack-read too
/// have `read`, those in smsrack-admin `admin`; root and the service's own user have `admin`.
/// Source:  docs/rights.md.
#pragma once

#include "src/access/caller.hpp"
#include "src/base/result.hpp"
#include "src/wire/http_message.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::api {

using access::Caller;
using access::Role;

/// A name of [[client]], and the account that may use it.
struct ClientUser {
    std::uint32_t uid = 0;
    std::string client = {};
};

struct AccessRules {
    std::uint32_t own_uid = 0;                     ///< of the service
    std::optional<std::uint32_t> read_group = {};  ///< smsrack-read; nullopt if the system has none
    std::optional<std::uint32_t> admin_group = {};  ///< smsrack-admin, likewise
    std::vector<ClientUser> clients = {};
};

/// nullopt if the kernel does not identify the peer: then nothing is allowed.
[[nodiscard]] std::optional<Caller> caller_of(const wire::Peer* peer, const AccessRules& rules);

/// Errors:  forbidden: the call needs a higher role; `context` says which group gives it and how to join.
[[nodiscard]] Result<> allowed(const Caller& caller, Role wanted);

/// Errors:  forbidden: the name belongs to another account; `context` says which setting gives it.
[[nodiscard]] Result<> may_use_client(const Caller& caller, std::string_view client);

}  // namespace smsrack::api
