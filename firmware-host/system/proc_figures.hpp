/// Reads figures of the machine and of this process from /proc and from the notes of a box.
///
/// Threads: any; these files are in memory, except the notes of slots, which are small.
/// Source:  proc(5); tools/smsrack/firmware writes the notes.
#pragma once

#include "src/ports/box_view.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::host {

/// Octets of "MemTotal:   16303428 kB"; nullopt: no such line.
[[nodiscard]] std::optional<std::uint64_t> kib_line(std::string_view text, std::string_view name);

/// The machine's memory and this process's, its time since the boot, and its slots, below `root`.
void read_figures(const std::filesystem::path& root, ports::BoxFacts& facts);

}  // namespace smsrack::host
