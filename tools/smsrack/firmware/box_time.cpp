#include "tools/smsrack/firmware/box_time.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

namespace smsrack::cli {
namespace {

constexpr std::chrono::minutes behind{1};
constexpr std::chrono::minutes agreed{15};
constexpr std::size_t witnesses_min = 2;
constexpr int quarters_max = 14 * 4;  // no zone is further from UTC

/// The "+04" behind the time, as an offset of UTC; nullopt if it is none.
std::optional<std::chrono::minutes> zone_of(std::string_view text) {
    if (text.empty()) {
        return std::nullopt;
    }
    int quarters = 0;
    const auto [end, failed] =
        std::from_chars(text.data() + 1, text.data() + text.size(), quarters);
    if ((text.front() != '+' && text.front() != '-') || failed != std::errc{} ||
        end != text.data() + text.size() || quarters < 0 || quarters > quarters_max) {
        return std::nullopt;
    }
    return std::chrono::minutes(15 * (text.front() == '-' ? -quarters : quarters));
}

/// The latest of those that agree, where they are two or more, and half of all.
std::optional<WallTime> most_agree(std::vector<WallTime> times) {
    std::ranges::sort(times);
    std::optional<WallTime> found;
    std::size_t most = witnesses_min;
    for (auto begin = times.begin(); begin != times.end(); ++begin) {
        const auto end = std::upper_bound(begin, times.end(), *begin + agreed);
        const auto count = static_cast<std::size_t>(end - begin);
        if (count >= most) {
            most = count;
            found = *std::prev(end);
        }
    }
    return 2 * most >= times.size() ? found : std::nullopt;
}

}  // namespace

std::optional<WallTime> modem_clock(std::string_view line) {
    constexpr std::string_view before = "+CCLK: \"";
    constexpr std::size_t length = std::string_view("26/11/22,23:18:27").size();
    if (!line.starts_with(before)) {
        return std::nullopt;
    }
    line.remove_prefix(before.size());
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos || quote < length || line[2] != '/' || line[5] != '/' ||
        line[8] != ',') {
        return std::nullopt;
    }
    const auto zone = zone_of(line.substr(length, quote - length));
    const auto time = time_of(fmt::format("20{}-{}-{}T{}Z", line.substr(0, 2), line.substr(3, 2),
                                          line.substr(6, 2), line.substr(9, length - 9)));
    if (!zone || !time) {
        return std::nullopt;
    }
    return *time - *zone;
}

std::optional<WallTime> better_time(const TimeSources& sources) {
    std::vector<WallTime> witnesses = sources.modems;
    witnesses.insert(witnesses.end(), sources.messages.begin(), sources.messages.end());
    const auto best = most_agree(std::move(witnesses));
    return best && *best >= sources.box + behind ? best : std::nullopt;
}

}  // namespace smsrack::cli
