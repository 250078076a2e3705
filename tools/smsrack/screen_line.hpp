/// One line of a full screen, with the meaning of its colour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace smsrack::cli {

/// Without colours all are plain.
enum class Ink : std::uint8_t { plain, heading, title, faint, warning, bad };

struct ScreenLine {
    std::string text = {};  ///< printable; what does not fit the width is cut
    Ink ink = Ink::plain;

    friend bool operator==(const ScreenLine&, const ScreenLine&) = default;
};

struct ScreenSize {
    std::size_t rows = 24;
    std::size_t columns = 80;

    friend bool operator==(const ScreenSize&, const ScreenSize&) = default;
};

}  // namespace smsrack::cli
