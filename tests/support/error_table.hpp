/// The product's table of causes, for tests that need one.
#pragma once

#include "src/causes/error_file.hpp"

namespace smsrack::test {

inline const ErrorTable error_table = causes::built_in_table();

}  // namespace smsrack::test
