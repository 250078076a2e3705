/// Which numbers a trigger has been launched for: a stable part of them, chosen by hash of number and tag.
///
/// A number that is in a share is in every larger one of the same tag; another tag selects others, independently.
#pragma once

#include <cstdint>
#include <string_view>

namespace smsrack::trigger {

/// `share`: 0..1. `number`: of the E.164 digits. Stable over versions and machines.
[[nodiscard]] bool in_share(double share, std::string_view tag, std::int64_t number);

}  // namespace smsrack::trigger
