/// The accounts of ESMEs: who may bind, and how what it says is understood.
///
/// Unit:    a line an account, "NAME HASH [OPTION=VALUE ...]"; empty lines and those that begin with "#" say nothing.
/// Bound:   accounts_max accounts, accounts_bytes_max octets.
/// Errors:  bad_request, with the line: it is malformed, its name is there twice, or there are too many. The line is
///          never quoted.
/// Source:  docs/smpp.md
#pragma once

#include "src/base/result.hpp"
#include "src/config/ip_network.hpp"
#include "src/smpp/coding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::smpp {

/// What an account gets of the messages that come in.
enum class Incoming : std::uint8_t {
    none,
    replies,  ///< of the numbers to which it wrote last
    all,      ///< and what answers no client
};

struct Account {
    std::string name = {};  ///< 1 to 15 of letters, digits, "_", "-", "."
    std::string hash = {};  ///< crypt(5)
    std::uint32_t sessions = 4;
    std::uint32_t window = 50;
    std::uint32_t rate = 0;  ///< submits a second; 0: as many as it likes
    bool transmits = true;
    bool receives = true;
    bool transceives = true;
    std::vector<config::IpNetwork> from = {};  ///< empty: from anywhere
    Coding dcs0 = Coding::gsm7;                ///< gsm7, latin1 or utf8
    Coding dcs1 = Coding::ascii;               ///< ascii or gsm7
    int level = 3;                             ///< of data_sm, which has no priority_flag
    std::array<int, 4> levels = {1, 3, 5, 6};  ///< of priority_flag 0 to 3
    std::string group = {};                    ///< empty: by the routes
    bool own_source = false;                   ///< a source that is no SIM of ours is refused
    Incoming incoming = Incoming::replies;
    bool incoming_parts = false;  ///< long ones in parts
    /// A message without a report in time ends as UNKNOWN, not as ACCEPTD.
    bool unreported_unknown = false;
    bool needs_tls = false;

    bool operator==(const Account&) const = default;
};

inline constexpr std::size_t accounts_max = 1'000;
inline constexpr std::size_t accounts_bytes_max = 512UL * 1024;

/// Of a name: it must fit into a system_id.
[[nodiscard]] bool is_account_name(std::string_view name);

[[nodiscard]] Result<std::vector<Account>> accounts_of(std::string_view file);

/// One account; `options` as in a line: "rate=10 mo=all".
[[nodiscard]] Result<Account> account_of(std::string_view name, std::string_view hash,
                                         std::string_view options);

}  // namespace smsrack::smpp
