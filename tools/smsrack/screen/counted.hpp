/// A number and its noun: "1 message", "2 messages".
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace smsrack::cli {

/// `noun` takes an "s" in the plural.
[[nodiscard]] inline std::string counted(std::uint64_t number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace smsrack::cli
