/// A new secret of 256 bits, from the kernel.
#pragma once

#include <string>

namespace smsrack::gate {

/// 64 small hex digits.
[[nodiscard]] std::string new_secret();

}  // namespace smsrack::gate
