/// A port of TCP of this machine that nothing listens on now.
///
/// Errors:  0: the system gives none.
#pragma once

#include <cstdint>

namespace smsrack::rig {

[[nodiscard]] std::uint16_t free_port();

}  // namespace smsrack::rig
