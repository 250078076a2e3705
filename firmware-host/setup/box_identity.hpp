/// Who this box is in its fleet: what `smsrack cluster join` leaves for the service.
///
/// The key proves to the engine that this is the box of that name. A program that has it can act as this box.
/// Errors:  not_found: it has not joined. bad_config: the file is not one that join has written, or others may
///          read it. not_allowed, storage: the file.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/base/result.hpp"

#include <filesystem>
#include <string>

namespace smsrack::host {

struct BoxIdentity {
    BoxNumber number = {};  ///< 0: join has not heard from the engine yet
    std::string name = {};
    std::string key = {};
};

/// <state_dir>/cluster/box.json
[[nodiscard]] std::filesystem::path identity_file(const std::filesystem::path& state_dir);

[[nodiscard]] Result<BoxIdentity> read_identity(const std::filesystem::path& state_dir);
/// What that file has; only its owner may read it.
[[nodiscard]] std::string identity_text(const BoxIdentity& identity);

}  // namespace smsrack::host
