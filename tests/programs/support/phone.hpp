/// What a phone shows of what the simulated network got.
#pragma once

#include "tests/support/rack.hpp"

#include <set>
#include <string>

namespace smsrack::test {

/// The messages to `number`; long ones are put together as a phone does it, by reference and number of parts.
[[nodiscard]] std::multiset<std::string> on_the_phone(const Rack& rack, const std::string& number);

}  // namespace smsrack::test
