/// Finds the programs that hold a port, as far as /proc shows them to this user.
///
/// Reads all of /proc/<pid>/fd, so it is for the one error line, not for every try.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::serial {

/// "gammu-smsd (pid 812)", "pid 812", or empty.
[[nodiscard]] std::string port_holder(const std::string& path);

/// All other programs that have the port open, locked or not. Those that made a pseudo-terminal,
/// and so are behind it, are left out.
[[nodiscard]] std::vector<std::string> port_users(const std::string& path);

/// Running programs of this name (as the kernel keeps it: 15 characters), in the same words.
[[nodiscard]] std::vector<std::string> programs_named(std::string_view name);

}  // namespace smsrack::serial
