/// A stream to a local socket.
///
/// Errors:  no_device: no process listens there; too_long: the path does not fit into an address.
#pragma once

#include "src/base/result.hpp"
#include "tools/client/unique_fd.hpp"

#include <filesystem>

namespace smsrack::rig {

[[nodiscard]] Result<client::UniqueFd> connect_unix(const std::filesystem::path& path);

}  // namespace smsrack::rig
