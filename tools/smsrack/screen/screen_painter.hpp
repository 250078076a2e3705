/// The lines of a full screen, and the octets that turn one screen of a terminal into the next. Only
/// changed lines are written, so that a slow ssh connection carries little.
///
/// Source:  ECMA-48: CUP, EL, ED, SGR; all terminals of the last decades know them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

class ScreenPainter {
public:
    explicit ScreenPainter(bool colour) : colour_(colour) {}

    /// The next call writes the whole screen: it was resized, or others wrote on it.
    void forget();

    /// At most `size.rows` lines are shown. The last column stays free: a character there makes some terminals wrap.
    [[nodiscard]] std::string next(const std::vector<ScreenLine>& lines, ScreenSize size);

private:
    const bool colour_;
    bool blank_ = true;
    std::vector<ScreenLine> shown_;  // what the terminal has
};

}  // namespace smsrack::cli
