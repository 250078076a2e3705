/// Checks that a folder that the service needs exists, or can be made at its start.
///
/// Threads: any.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace smsrack::host {

/// In words, why this account can't keep files in `folder`; nullopt if it can. A missing folder is made by the service at its
/// start (those of the packages: by systemd). A disk that takes no writes is no fault of the folder: it may come back.
[[nodiscard]] std::optional<std::string> folder_fault(const std::filesystem::path& folder);

}  // namespace smsrack::host
