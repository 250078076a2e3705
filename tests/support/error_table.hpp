/// The product's table of causes, for whoever needs one in a test.
#pragma once

#include "src/causes/error_file.hpp"

namespace smsrack::test {

inline const ErrorTable error_table = causes::built_in_table();

}  // namespace smsrack::test
