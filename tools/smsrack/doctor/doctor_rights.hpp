/// Which accounts may open a port, and the command that lets the service open it.
///
/// port_rights() reads the file system and the accounts; the others are pure.
#pragma once

#include <string>
#include <string_view>

namespace smsrack::cli {

struct PortRights {
    std::string path = {};
    std::string owner = {};
    std::string group = {};
    unsigned mode = 0;         ///< permissions, as of chmod
    std::string asker = {};    ///< this process's account
    std::string account = {};  ///< the service's; empty: this machine has none of its name
    bool account_may = false;  ///< the service's account can open the port
};

/// Words and command, for a finding.
struct RightsWords {
    std::string text = {};
    std::string advice = {};
};

[[nodiscard]] PortRights port_rights(const std::string& port);
[[nodiscard]] RightsWords words_of(const PortRights& rights);

}  // namespace smsrack::cli
