/// Helpers that split a fuzz target's input.
#pragma once

#include "src/pdu/alphabet/utf8.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/seeded_random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::fuzz {

/// Valid as long as the input.
[[nodiscard]] inline std::string_view text_of(Octets input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

[[nodiscard]] inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

[[nodiscard]] inline bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const pdu::CodePoint character = pdu::code_point_at(text, at);
        if (character.octets == 0) {
            return false;
        }
        at += character.octets;
    }
    return true;
}

/// Chance that the input decides (FNV-1a), so that a run repeats.
[[nodiscard]] inline test::SeededRandom chance_of(std::string_view text) {
    std::uint64_t seed = 0xCBF29CE484222325U;
    for (const char octet : text) {
        seed = (seed ^ static_cast<unsigned char>(octet)) * 0x100000001B3U;
    }
    return test::SeededRandom(seed);
}

/// How a text may come: whole, octet by octet, in pieces small and large. What is read must not depend on it.
[[nodiscard]] inline std::vector<std::vector<std::string_view>> ways_to_come(
    std::string_view text) {
    std::vector<std::vector<std::string_view>> ways{{text}, {}, {}, {}};
    for (std::size_t at = 0; at < text.size(); ++at) {
        ways[1].push_back(text.substr(at, 1));
    }
    test::SeededRandom chance = chance_of(text);
    for (const std::size_t way : {std::size_t{2}, std::size_t{3}}) {
        const std::size_t most = way == 2 ? 7 : 1 + text.size() / 2;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = 1 + chance.below(most);
            ways[way].push_back(text.substr(at, size));
            at += size;
        }
    }
    return ways;
}

}  // namespace smsrack::fuzz
