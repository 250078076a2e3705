#include "tools/smsrack/screen/time_style.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <ctime>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

constexpr std::size_t to_second = 19;  // octets of "2026-11-21 02:31:21"
constexpr std::size_t to_ms = 23;

bool is_time(std::string_view text) {
    constexpr std::string_view shape = "0000-00-00T00:00:00";
    if (text.size() <= shape.size() || !text.ends_with('Z')) {
        return false;
    }
    return std::ranges::equal(text.substr(0, shape.size()), shape, [](char c, char wanted) {
        return wanted == '0' ? std::isdigit(static_cast<unsigned char>(c)) != 0 : c == wanted;
    });
}

/// "2026-11-21 03:31:21.123" by the clock on the wall; `time` itself where it can't be said.
std::string local_text(std::string_view time) {
    const auto parsed = time_of(time);
    if (!parsed) {
        return std::string(time);
    }
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*parsed);
    const std::time_t whole = seconds.time_since_epoch().count();
    std::tm parts{};
    std::array<char, to_second + 1> text{};
    if (::localtime_r(&whole, &parts) == nullptr ||
        std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts) != to_second) {
        return std::string(time);
    }
    const auto ms = std::chrono::floor<std::chrono::milliseconds>(*parsed - seconds);
    return fmt::format("{}.{:03}", text.data(), ms.count());
}

/// Octets of the time that `text` begins with; 0: none.
std::size_t time_at(std::string_view text) {
    constexpr std::size_t longest = 30;
    const std::size_t end = text.substr(0, longest).find('Z');
    return end != std::string_view::npos && is_time(text.substr(0, end + 1)) ? end + 1 : 0;
}

}  // namespace

std::string TimeStyle::shown(std::string_view time, std::size_t octets) const {
    if (!is_time(time)) {
        return std::string(time);
    }
    std::string out = zone_ == Zone::local ? local_text(time) : std::string(time);
    out.resize(std::min(out.size() - (out.ends_with('Z') ? 1 : 0), octets));
    out[10] = ' ';
    return out;
}

std::string TimeStyle::to_seconds(std::string_view time) const {
    return shown(time, to_second);
}

std::string TimeStyle::to_milliseconds(std::string_view time) const {
    return shown(time, to_ms);
}

std::string TimeStyle::of_day(std::string_view time) const {
    const std::string text = shown(time, to_second);
    return is_time(time) ? text.substr(11) : text;
}

std::string TimeStyle::in_sentence(std::string_view sentence) const {
    if (zone_ == Zone::utc) {
        return std::string(sentence);
    }
    std::string out;
    while (!sentence.empty()) {
        const std::size_t octets = time_at(sentence);
        if (octets > 0) {
            const std::string_view time = sentence.substr(0, octets);
            out += shown(time, time.contains('.') ? to_ms : to_second);
        } else {
            out += sentence.front();
        }
        sentence.remove_prefix(std::max<std::size_t>(octets, 1));
    }
    return out;
}

std::string TimeStyle::heading(std::string_view word) const {
    return fmt::format("{} ({})", word, zone_ == Zone::local ? "LOCAL" : "UTC");
}

std::string_view TimeStyle::name() const {
    return zone_ == Zone::local ? "local time" : "UTC";
}

}  // namespace smsrack::cli
