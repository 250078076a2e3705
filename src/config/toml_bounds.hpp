/// Refuses a TOML text that is too large or nested too deeply, before the parser sees it: toml++ and our own tree recurse once
/// for each part of a key, so a key of 30,000 dots would overflow the stack.
///
/// Reads only as much of the grammar as says where texts, comments, keys and brackets are. What is no TOML passes: the parser
/// stops at its first fault, and up to there both see the same.
/// Unit:    octets; brackets that are open at once; parts of one key.
#pragma once

#include "src/config/toml.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace smsrack::config {

/// 256 modems with every key are some 100 KiB.
inline constexpr std::size_t toml_bytes_max = 1UL << 20;
inline constexpr int toml_brackets_max = 32;   ///< the deepest setting has 2
inline constexpr int toml_key_parts_max = 16;  ///< the longest key has 3

/// The first bound that is exceeded, with its line; nullopt if the text is within all of them.
[[nodiscard]] std::optional<TomlFault> find_excess(std::string_view text);

}  // namespace smsrack::config
