#include "src/wire/ndjson.hpp"

#include <utility>

namespace smsrack::wire {

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
