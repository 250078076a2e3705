/// Distributes the places for connections: a bound for all, one for each account, and places
/// reserved for administrators.
///
/// When all places are taken, the account that has the most gives one up for the newcomer; so one that has few is always
/// let in, and no account can shut out another.
/// Unit:    connections.
/// Threads: loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace smsrack::net {

struct PlaceLimits {
    std::size_t connections = 1'024;
    std::size_t per_account = 512;
    /// That only administrators may use: some consoles, and what watches the rack.
    std::size_t kept = 16;
};

class ConnectionPlaces {
public:
    explicit ConnectionPlaces(const PlaceLimits& limits) : limits_(limits) {}

    enum class Action : std::uint8_t {
        take,     ///< there is a place
        replace,  ///< the idlest connection of `account` goes for it, busy or not
        exchange,  ///< the account has all that it may: its idlest goes if it is idle, else the newcomer
    };
    struct Answer {
        Action action = Action::take;
        std::uint32_t account = 0;
    };

    /// For a new connection, which is not counted yet.
    [[nodiscard]] Answer ask(std::uint32_t account, bool privileged) const;

    void taken(std::uint32_t account, bool privileged);
    void gone(std::uint32_t account);

    [[nodiscard]] std::size_t of(std::uint32_t account) const;

private:
    struct Account {
        std::size_t connections = 0;
        bool privileged = false;
    };

    const PlaceLimits limits_;
    std::size_t all_ = 0;
    std::map<std::uint32_t, Account> accounts_;  // those that have a connection
};

}  // namespace smsrack::net
