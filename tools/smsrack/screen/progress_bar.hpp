/// A progress bar on standard error, if that is a terminal.
///
/// Time:    drawn ten times a second at most, by the real clock.
#pragma once

#include "tools/smsrack/screen/console.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::cli {

class ProgressBar {
public:
    /// `whole`: what the position runs up to; 0: not known, then there is no bar but the words.
    ProgressBar(Console& console, std::uint64_t whole) : console_(console), whole_(whole) {}

    void show(std::uint64_t position, std::string_view words);

private:
    Console& console_;
    const std::uint64_t whole_;
    std::chrono::steady_clock::time_point next_ = {};
};

/// "[#####...............]  25 %"
[[nodiscard]] std::string bar_text(std::uint64_t position, std::uint64_t whole);

}  // namespace smsrack::cli
