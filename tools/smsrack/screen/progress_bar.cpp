#include "tools/smsrack/screen/progress_bar.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::cli {

std::string bar_text(std::uint64_t position, std::uint64_t whole) {
    constexpr std::size_t width = 20;
    const std::uint64_t done = whole == 0 ? 0 : std::min(position, whole);
    const auto marks = static_cast<std::size_t>(whole == 0 ? 0 : done * width / whole);
    return fmt::format("[{}{}] {:3} %", std::string(marks, '#'), std::string(width - marks, '.'),
                       whole == 0 ? 0 : done * 100 / whole);
}

void ProgressBar::show(std::uint64_t position, std::string_view words) {
    const auto time = std::chrono::steady_clock::now();
    if (!console_.traits().err_is_terminal || time < next_) {
        return;
    }
    next_ = time + std::chrono::milliseconds(100);
    console_.progress(whole_ == 0 ? std::string(words)
                                  : fmt::format("{}  {}", bar_text(position, whole_), words));
}

}  // namespace smsrack::cli
