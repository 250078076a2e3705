#include "tools/smsrack/box_time.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <system_error>

namespace smsrack::cli {
namespace {

constexpr std::chrono::minutes behind{1};
constexpr std::chrono::minutes agreed{5};
constexpr int quarters_max = 14 * 4;  // no zone is further from UTC

/// The "+04" behind the time, as an offset of UTC; nothing: it is none.
std::optional<std::chrono::minutes> zone_of(std::string_view text) {
    if (text.empty()) {
        return std::chrono::minutes(0);
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

/// The one in the middle of those that agree, where they are half of all or more.
std::optional<WallTime> most_agree(std::vector<WallTime> times, std::size_t all) {
    std::ranges::sort(times);
    std::optional<WallTime> found;
    std::size_t most = 0;
    for (auto begin = times.begin(); begin != times.end(); ++begin) {
        const auto end = std::upper_bound(begin, times.end(), *begin + agreed);
        const auto count = static_cast<std::size_t>(end - begin);
        if (count > most) {
            most = count;
            found = *(begin + (end - begin) / 2);
        }
    }
    return 2 * most >= all ? found : std::nullopt;
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
    const WallTime least = std::max(sources.box, sources.newest_message.value_or(sources.box));
    std::vector<WallTime> set;
    std::ranges::copy_if(sources.modems, std::back_inserter(set),
                         [&](WallTime modem) { return modem + behind >= least; });
    const WallTime best = most_agree(set, set.size()).value_or(least);
    const WallTime known = std::max(least, best);
    return known >= sources.box + behind ? std::optional(known) : std::nullopt;
}

}  // namespace smsrack::cli
