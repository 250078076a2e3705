/// Who holds a port, as far as /proc tells this user: "gammu-smsd (pid 812)", "pid 812", or empty.
///
/// Reads all of /proc/<pid>/fd, so it is for the one error line, not for every try.
#pragma once

#include <string>

namespace smsrack::serial {

[[nodiscard]] std::string port_holder(const std::string& path);

}  // namespace smsrack::serial
