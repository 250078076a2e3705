/// The version of smsrack; CMake's project() has the number.
#pragma once

#include <string_view>

namespace smsrack::host {

inline constexpr std::string_view version = SMSRACK_VERSION;

}  // namespace smsrack::host
