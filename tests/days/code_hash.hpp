/// Names the code that smsrack-simulate was built from: a hash of the sources without comments and line numbers, the compiler and the build type.
///
/// Source: tools/scripts/code_hash; the build writes the definition.
#pragma once

#include <cstdint>

namespace smsrack::days {

extern const std::uint64_t code_hash;

}  // namespace smsrack::days
