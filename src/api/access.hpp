/// The caller of a request, and the text of a refusal for it: on the local socket the kernel reports it; for callers over
/// the network the gate passes on the hash of their token.
///
/// Group smsrack-api may open the socket (its file mode), which gives role `send`. Its members who are in smsrack-read too
/// have `read`, those in smsrack-admin `admin`; root and the service's own user have `admin`.
/// Source:  docs/rights.md.
#pragma once

#include "src/access/caller.hpp"
#include "src/access/token_book.hpp"
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

/// Of a request of the gate: the SHA-256 of its caller's token. This service looks it up, so an attacker in the gate
/// can use only tokens that it has seen.
inline constexpr std::string_view token_header = "smsrack-token";
/// Likewise: the address that its caller called from.
inline constexpr std::string_view address_header = "smsrack-address";

struct AccessRules {
    std::uint32_t own_uid = 0;                     ///< of the service
    std::optional<std::uint32_t> read_group = {};  ///< smsrack-read; nullopt if the system has none
    std::optional<std::uint32_t> admin_group = {};  ///< smsrack-admin, likewise
    std::vector<ClientUser> clients = {};
    std::optional<std::uint32_t> gate = {};  ///< account of smsrack-gate; nullopt: there is no gate
    bool has_smpp = false;                   ///< the gate may call for accounts of SMPP
    bool remote_at = false;  ///< callers over the network may call `at`, `ussd`, `upgrade`
};

/// nullopt if the kernel does not identify the peer: then nothing is allowed.
[[nodiscard]] std::optional<Caller> caller_of(const wire::Peer* peer, const AccessRules& rules);

/// Of a request of the gate, or of the service's own account, which may take the gate's place: that of the token whose hash
/// it passes on. Of any other request: the peer.
/// Errors:  unauthorized: the kernel does not identify the peer, or the token does not count; forbidden: the peer may not pass
///          on a token.
[[nodiscard]] Result<Caller> caller_of(const wire::HttpRequest& request, const AccessRules& rules,
                                       const access::TokenBook& tokens, WallTime now);

/// Of a call that no caller over the network may make.
inline constexpr std::string_view gate_only =
    "this call is for smsrack-gate itself and for administrators of this box";
/// Of a request without a token: the gate itself, or an administrator of this box. With each call
/// that the gate hands on it says a token, or that there is none.
/// Errors:  unauthorized: the kernel does not identify the peer; forbidden: any other caller.
[[nodiscard]] Result<Caller> gate_or_admin(const wire::HttpRequest& request,
                                           const AccessRules& rules);

/// `token`: a hash, or the text of an access::SmppCaller.
/// Errors:  unauthorized: it is malformed, not known, revoked or at its end; all get the same text.
[[nodiscard]] Result<Caller> remote_caller(std::string_view token, const AccessRules& rules,
                                           const access::TokenBook& tokens, WallTime now);

/// Errors:  forbidden: the call needs a higher role; `context` says which group gives it and how to join.
[[nodiscard]] Result<> allowed(const Caller& caller, Role wanted);

/// Errors:  forbidden: the name belongs to another account; `context` says which setting gives it.
[[nodiscard]] Result<> may_use_client(const Caller& caller, std::string_view client);

}  // namespace smsrack::api
