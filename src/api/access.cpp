#include "src/api/access.hpp"

#include "src/access/smpp_caller.hpp"
#include "src/api/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::api {
namespace {

bool is_member(const wire::Peer& peer, std::optional<std::uint32_t> group) {
    return group &&
           (peer.gid == *group || std::ranges::find(peer.groups, *group) != peer.groups.end());
}

Role role_of(const wire::Peer& peer, const AccessRules& rules) {
    if (peer.uid == 0 || peer.uid == rules.own_uid || is_member(peer, rules.admin_group)) {
        return Role::admin;
    }
    return is_member(peer, rules.read_group) ? Role::read : Role::send;
}

}  // namespace

std::optional<Caller> caller_of(const wire::Peer* peer, const AccessRules& rules) {
    if (peer == nullptr || !peer->known) {
        return std::nullopt;
    }
    Caller caller{.role = role_of(*peer, rules),
                  .name = peer->uid == 0 ? "root" : fmt::format("uid {}", peer->uid)};
    if (peer->uid != rules.own_uid) {
        caller.owner = OwnerId{peer->uid};
    }
    for (const ClientUser& user : rules.clients) {
        if (user.uid == peer->uid) {
            caller.clients.push_back(user.client);
        }
    }
    return caller;
}

Result<Caller> remote_caller(std::string_view token, const AccessRules& rules,
                             const access::TokenBook& tokens, WallTime now) {
    if (const auto account = access::smpp_caller_of(token); account && rules.has_smpp) {
        return Caller{.role = Role::send,
                      .owner = access::token_owner(account->name),
                      .name = "smpp " + account->name,
                      .clients = {account->name},
                      .token = std::string(token),
                      .hears_all = account->hears_all};
    }
    const access::Token* const found = tokens.find(token, now);
    if (found == nullptr) {
        return fail(Errc::unauthorized, std::string(access::unknown_token));
    }
    return Caller{.role = found->role,
                  .owner = access::token_owner(found->name),
                  .name = "token " + found->name,
                  .clients = {found->name},
                  .token = found->hash,
                  .masked = found->masked};
}

Result<Caller> caller_of(const wire::HttpRequest& request, const AccessRules& rules,
                         const access::TokenBook& tokens, WallTime now) {
    auto caller = caller_of(request.peer, rules);
    if (!caller) {
        return fail(Errc::unauthorized, "the system does not say which account calls");
    }
    const std::string_view token = request.header(token_header);
    const bool is_gate = rules.gate && request.peer->uid == *rules.gate;
    if (!is_gate && token.empty()) {
        return *std::move(caller);
    }
    if (!is_gate && request.peer->uid != rules.own_uid) {
        return fail(Errc::forbidden,
                    "only the account smsrack-gate may call with the header Smsrack-Token");
    }
    return remote_caller(token, rules, tokens, now);
}

Result<Caller> gate_or_admin(const wire::HttpRequest& request, const AccessRules& rules) {
    auto caller = caller_of(request.peer, rules);
    if (!caller) {
        return fail(Errc::unauthorized, "the system does not say which account calls");
    }
    const bool is_gate = rules.gate && request.peer->uid == *rules.gate;
    if (!is_gate && !caller->may(Role::admin)) {
        return fail(Errc::forbidden, std::string(gate_only));
    }
    if (is_gate) {
        caller->name = "smsrack-gate";
    }
    return *std::move(caller);
}

Result<> allowed(const Caller& caller, Role wanted) {
    if (caller.may(wanted)) {
        return {};
    }
    if (caller.is_remote()) {
        return fail(Errc::forbidden,
                    fmt::format("this call needs a token with the role {}; this one has {}",
                                role_name(wanted), role_name(caller.role)));
    }
    return fail(
        Errc::forbidden,
        fmt::format("this call needs the role {0}, which the group smsrack-{0} gives (root and the "
                    "service's user have it); this caller has {1}. To join: sudo usermod -aG "
                    "smsrack-{0} ACCOUNT, then log in again and restart the account's programs",
                    role_name(wanted), role_name(caller.role)));
}

Result<> may_use_client(const Caller& caller, std::string_view client) {
    if (client.empty() || caller.may_use(client)) {
        return {};
    }
    if (caller.is_remote()) {
        return fail(Errc::forbidden,
                    fmt::format("client: this token's client is {}, not {}", caller.clients.front(),
                                valid_text(std::string(client))));
    }
    return fail(
        Errc::forbidden,
        fmt::format("client: the name {0} is not this account's; in smsrack.toml, [[client]] name "
                    "= \"{0}\" with user = \"ACCOUNT\" gives it to an account",
                    valid_text(std::string(client))));
}

}  // namespace smsrack::api
