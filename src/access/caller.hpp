/// The caller of one API call: its role, and the owner of the messages that it may see.
///
/// Every call has exactly one. On the local socket the peer's credentials give it (src/api/access); a token can give the
/// same value, so no call needs to know where its caller came from.
#pragma once

#include "src/access/role.hpp"
#include "src/base/ids.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::access {

struct Caller {
    Role role = Role::send;
    /// Owns the messages that this call brings; 0: root's, which no sender owns.
    OwnerId owner = {};
    /// As the audit shows it: "root", "uid 1004", "token shop".
    std::string name = {};
    /// Client names that it may use; an administrator may use any.
    std::vector<std::string> clients = {};
    /// Over the network: the hash of its token, or the text of its account of SMPP; empty on the socket.
    std::string token = {};
    /// Its stream may have what answers no client, without the role `read`.
    bool hears_all = false;
    /// Sees no whole number and no text.
    bool masked = false;

    [[nodiscard]] bool is_remote() const { return !token.empty(); }
    [[nodiscard]] bool may(Role wanted) const { return role >= wanted; }

    [[nodiscard]] bool may_use(std::string_view client) const {
        return role == Role::admin || std::ranges::find(clients, client) != clients.end();
    }

    /// Whether a message is its own: its account sent it, or one of its client names did. `sent_by` is nullopt if the
    /// message is from before owners were kept.
    [[nodiscard]] bool owns(std::optional<OwnerId> sent_by, std::string_view client) const {
        return sent_by == account() || std::ranges::find(clients, client) != clients.end();
    }

    /// The account whose messages its lists and streams are limited to; one that no message has if it owns none.
    [[nodiscard]] OwnerId account() const { return owner == OwnerId{} ? OwnerId{-1} : owner; }

    /// From role `read` on a caller sees the messages of everyone.
    [[nodiscard]] bool sees(std::optional<OwnerId> sent_by, std::string_view client) const {
        return may(Role::read) || owns(sent_by, client);
    }
};

}  // namespace smsrack::access
