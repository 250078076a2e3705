#include "src/wire/ndjson.hpp"

#include <charconv>
#include <fmt/format.h>
#include <system_error>

namespace smsrack::wire {

std::string line_place_text(const LinePlace& place) {
    return fmt::format("{} {:d} {}", place.number, place.skipping, place.held);
}

std::optional<LinePlace> read_line_place(std::string_view text) {
    LinePlace place;
    const char* const end = text.data() + text.size();
    const auto [behind, fault] = std::from_chars(text.data(), end, place.number);
    const std::string_view rest(behind, static_cast<std::size_t>(end - behind));
    if (fault != std::errc() || rest.size() < 3 || rest[0] != ' ' || rest[2] != ' ' ||
        (rest[1] != '0' && rest[1] != '1') || rest.size() - 3 > LineSplitter::line_bytes_max) {
        return std::nullopt;
    }
    place.skipping = rest[1] == '1';
    place.held = rest.substr(3);
    return place;
}

std::optional<LineSplitter::Line> LineSplitter::next(std::string_view& input) {
    while (!input.empty()) {
        const std::size_t end = input.find('\n');
        if (end == std::string_view::npos) {
            skipping_ = skipping_ || held_.size() + input.size() > line_bytes_max;
            if (skipping_) {
                held_.clear();
            } else {
                held_ += input;
            }
            input = {};
            return std::nullopt;
        }
        const std::string_view piece = input.substr(0, end);
        input.remove_prefix(end + 1);
        if (const auto line = finish(piece)) {
            return line;
        }
    }
    return std::nullopt;
}

std::optional<LineSplitter::Line> LineSplitter::last() {
    if (held_.empty() && !skipping_) {
        return std::nullopt;
    }
    return finish({});
}

std::optional<LineSplitter::Line> LineSplitter::finish(std::string_view piece) {
    ++number_;
    if (std::exchange(skipping_, false) || held_.size() + piece.size() > line_bytes_max) {
        held_.clear();
        return Line{.number = number_, .too_long = true};
    }
    if (!held_.empty()) {
        line_ = std::exchange(held_, {});
        line_ += piece;
        piece = line_;
    }
    if (piece.ends_with('\r')) {
        piece.remove_suffix(1);
    }
    if (piece.find_first_not_of(" \t") == std::string_view::npos) {
        return std::nullopt;
    }
    return Line{.text = piece, .number = number_};
}

}  // namespace smsrack::wire
