/// Loads a time zone by its name, from the machine's database (Debian package tzdata).
///
/// Errors:  bad_config: no such zone here, or its file is not understood. UTC needs no file.
#pragma once

#include "src/base/result.hpp"
#include "src/base/time_zone.hpp"

#include <string>

namespace smsrack::host {

/// `name` as the configuration allows it: letters, digits and "_-+/", so it can't leave the folder.
[[nodiscard]] Result<TimeZone> read_zone(const std::string& name);

}  // namespace smsrack::host
