/// How a terminal displays UTF-8.
#pragma once

#include "src/base/utf8.hpp"

#include <cstddef>
#include <string_view>

namespace smsrack::cli {

[[nodiscard]] bool is_utf8(std::string_view text);

/// 0, 1 or 2.
[[nodiscard]] std::size_t columns_of_character(char32_t character);

}  // namespace smsrack::cli
