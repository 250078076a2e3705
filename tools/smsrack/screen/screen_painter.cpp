#include "tools/smsrack/screen/screen_painter.hpp"

#include "tools/smsrack/screen/console.hpp"
#include "tools/smsrack/screen/wrap.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace smsrack::cli {
namespace {

constexpr std::string_view plain = "\x1B[0m";

std::string_view rendition_of(Ink ink) {
    switch (ink) {
        case Ink::title:
            return "\x1B[7m";
        case Ink::heading:
            return "\x1B[1m";
        case Ink::faint:
            return "\x1B[2m";
        case Ink::warning:
            return "\x1B[33m";
        case Ink::bad:
            return "\x1B[31m";
        case Ink::plain:
            break;
    }
    return {};
}

}  // namespace

void ScreenPainter::forget() {
    blank_ = true;
    shown_.clear();
}

std::string ScreenPainter::next(const std::vector<ScreenLine>& lines, ScreenSize size) {
    std::string out = blank_ ? "\x1B[0m\x1B[2J" : "";
    blank_ = false;
    const std::size_t columns = std::max<std::size_t>(size.columns, 2) - 1;
    shown_.resize(size.rows);
    for (std::size_t row = 0; row < size.rows; ++row) {
        const ScreenLine line = row < lines.size() ? lines[row] : ScreenLine{};
        if (line == shown_[row]) {
            continue;
        }
        shown_[row] = line;
        const std::string safe = printable(line.text);
        std::string text(cut_to(safe, columns));
        if (line.ink == Ink::title) {
            text.append(columns - columns_of(text), ' ');  // the bar goes over the whole line
        }
        const std::string_view ink = colour_ ? rendition_of(line.ink) : std::string_view();
        out += fmt::format("\x1B[{};1H{}{}{}\x1B[K", row + 1, ink, text,
                           ink.empty() ? std::string_view() : plain);
    }
    return out;
}

}  // namespace smsrack::cli
