/// Roles on the local socket, from the box's groups and accounts and the configuration.
///
/// Read at each start and reload: a group made later counts from then on.
#pragma once

#include "src/api/access.hpp"
#include "src/base/log.hpp"
#include "src/config/settings.hpp"

namespace smsrack::host {

/// An account of a [[client]] that the box does not know is logged, and its name is left to administrators.
[[nodiscard]] api::AccessRules access_rules(const config::Settings& settings, Log& log);

}  // namespace smsrack::host
