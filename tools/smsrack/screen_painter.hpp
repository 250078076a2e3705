/// Writes the octets that turn one screen of a terminal into the next. Only changed lines are
/// written, so that a slow ssh connection carries little.
///
/// Source:  ECMA-48: CUP, EL, ED, SGR; all terminals of the last decades know them.
#pragma once

#include "tools/smsrack/screen_line.hpp"

#include <string>
#include <vector>

namespace smsrack::cli {

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
