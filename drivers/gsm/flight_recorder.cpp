#include "drivers/gsm/flight_recorder.hpp"

#include "drivers/at/pdu_line.hpp"
#include "drivers/serial/mask.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::gsm {
namespace {

/// Of a line that no command expected: enough to see what it is, too little for a text.
constexpr std::size_t stray_shown = 8;

struct SignText {
    char direction;
    std::string_view word;
};

/// In the order of Sign.
constexpr std::array<SignText, 8> sign_texts{{{'<', "  [echo]"},
                                              {'<', "  [prompt]"},
                                              {'<', ""},
                                              {'<', "  [result]"},
                                              {'<', "  [urc]"},
                                              {'<', "  [data]"},
                                              {'>', ""},
                                              {'=', ""}}};

}  // namespace

void FlightRecorder::wrote(std::string_view line) {
    scratch_.clear();
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    append_shown(line == "\x1b" ? "<ESC>" : line);
    keep(Sign::wrote, scratch_);
}

void FlightRecorder::heard(at::LineKind kind, std::string_view line) {
    scratch_.clear();
    const bool stray = kind == at::LineKind::data && !at::is_hex_line(line);
    if (stray && !record_texts_ && line.size() > stray_shown) {
        append_shown(line.substr(0, stray_shown));
        scratch_ += fmt::format("...({} characters)", line.size());
    } else {
        append_shown(line);
    }
    static_assert(std::to_underlying(Sign::other) == std::to_underlying(at::LineKind::data));
    keep(static_cast<Sign>(kind), scratch_);
}

void FlightRecorder::became(std::string_view what) {
    keep(Sign::became, what);
}

void FlightRecorder::append_shown(std::string_view line) {
    if (record_texts_) {
        serial::append_without_secret(scratch_, line);
    } else {
        serial::append_masked(scratch_, line);
    }
}

void FlightRecorder::keep(Sign sign, std::string_view shown) {
    shown = shown.substr(0, line_max);
    const WallTime at = clock_.wall();
    const std::lock_guard lock(mutex_);
    entries_[lines_kept_ % lines_max] = {.at = at,
                                         .begin = octets_kept_,
                                         .length = static_cast<std::uint16_t>(shown.size()),
                                         .sign = sign};
    ++lines_kept_;
    const std::size_t place = octets_kept_ % octets_max;
    const std::size_t before_end = std::min(shown.size(), octets_max - place);
    std::copy_n(shown.begin(), before_end, octets_.begin() + static_cast<std::ptrdiff_t>(place));
    std::ranges::copy(shown.substr(before_end), octets_.begin());
    octets_kept_ += shown.size();
}

std::string FlightRecorder::shown(const Entry& entry) const {
    const auto& sign = sign_texts.at(std::to_underlying(entry.sign));
    const auto day = std::chrono::floor<std::chrono::days>(entry.at);
    const std::chrono::hh_mm_ss time(entry.at - day);
    std::string line =
        fmt::format("{:02}:{:02}:{:02}.{:03} {} ", time.hours().count(), time.minutes().count(),
                    time.seconds().count(), time.subseconds().count(), sign.direction);
    for (std::uint64_t i = entry.begin; i < entry.begin + entry.length; ++i) {
        line += octets_[i % octets_max];
    }
    line += sign.word;
    line += '\n';
    return line;
}

std::string FlightRecorder::text(WallTime from, std::size_t octets) const {
    std::vector<std::string> lines;  // newest first
    {
        const std::lock_guard lock(mutex_);
        std::size_t room = octets;
        const std::uint64_t oldest = lines_kept_ - std::min<std::uint64_t>(lines_kept_, lines_max);
        for (std::uint64_t i = lines_kept_; i > oldest; --i) {
            const Entry& entry = entries_[(i - 1) % lines_max];
            if (!is_whole(entry) || entry.at < from) {
                break;
            }
            auto line = shown(entry);
            if (line.size() > room) {
                break;
            }
            room -= line.size();
            lines.push_back(std::move(line));
        }
    }
    std::string all;
    for (const std::string& line : std::views::reverse(lines)) {
        all += line;
    }
    return all;
}

}  // namespace smsrack::gsm
