// Lines out of a body: the same however it is cut, also where another process resumes it.
#include "src/wire/ndjson.hpp"

#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace smsrack::fuzz {
namespace {

std::string shown(const wire::LineSplitter::Line& line) {
    SMSRACK_CHECK(line.too_long ? line.text.empty() : !line.text.contains('\n'));
    SMSRACK_CHECK(line.text.size() <= wire::LineSplitter::line_bytes_max);
    return fmt::format("{}:{}:{}", line.number, line.too_long, line.text);
}

std::vector<std::string> split(const std::vector<std::string_view>& pieces, bool carried) {
    std::vector<std::string> lines;
    wire::LineSplitter splitter;
    for (std::string_view piece : pieces) {
        while (const auto line = splitter.next(piece)) {
            lines.push_back(shown(*line));
        }
        SMSRACK_CHECK(piece.empty());
        if (carried) {
            auto place = wire::read_line_place(wire::line_place_text(splitter.place()));
            SMSRACK_CHECK(place.has_value());
            splitter = wire::LineSplitter(*std::move(place));
        }
    }
    if (const auto line = splitter.last()) {
        lines.push_back(shown(*line));
    }
    SMSRACK_CHECK(!splitter.within_line() && !splitter.last());
    return lines;
}

/// A place that another process claims.
void check_place(std::string_view text) {
    const auto place = wire::read_line_place(text);
    if (place) {
        const auto again = wire::read_line_place(wire::line_place_text(*place));
        SMSRACK_CHECK(again && again->number == place->number && again->held == place->held &&
                      again->skipping == place->skipping);
    }
}

}  // namespace

int fuzz_ndjson(Octets input) {
    const std::string_view text = text_of(input);
    const std::vector<std::string> lines = split({text}, false);
    for (const auto& pieces : ways_to_come(text)) {
        SMSRACK_CHECK(split(pieces, false) == lines);
        SMSRACK_CHECK(split(pieces, true) == lines);
    }
    check_place(text);
    return 0;
}

}  // namespace smsrack::fuzz
