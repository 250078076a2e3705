/// Descriptors that systemd gives to a program at its start.
///
/// Threads: the main thread, before others are started.
/// Source:  sd_listen_fds(3)
#pragma once

#include "drivers/serial/owned_fd.hpp"

#include <string>
#include <utility>
#include <vector>

namespace smsrack::host {

/// In systemd's order, each with its name (FileDescriptorName=; "unknown" where systemd gave none). None where the
/// variables are not for this process. The variables are taken out of the environment.
using NamedFds = std::vector<std::pair<std::string, serial::OwnedFd>>;
[[nodiscard]] NamedFds fds_of_environment();

}  // namespace smsrack::host
