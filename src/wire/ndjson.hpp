/// Splits a stream of octets into lines.
///
/// Bound:   one line of at most `line_bytes_max`; a longer one is reported as such and skipped up
///          to its end. Lines end with LF; a CR before it is dropped. Empty lines are skipped, as
///          NDJSON readers do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::wire {

/// Where a stream is between two pieces, for a splitter that resumes it.
struct LinePlace {
    std::uint64_t number = 0;  ///< of the last whole line
    std::string held = {};     ///< begin of the next one
    bool skipping = false;     ///< which is too long
};

[[nodiscard]] std::string line_place_text(const LinePlace& place);
/// Nullopt if the text is not a place.
[[nodiscard]] std::optional<LinePlace> read_line_place(std::string_view text);

class LineSplitter {
public:
    static constexpr std::size_t line_bytes_max = 64UL * 1024;  ///< docs/api.md, "Bodies"

    LineSplitter() = default;
    explicit LineSplitter(LinePlace place)
        : held_(std::move(place.held)), number_(place.number), skipping_(place.skipping) {}

    struct Line {
        std::string_view text = {};  ///< until the next call
        std::uint64_t number = 0;    ///< from 1, counting empty ones too
        bool too_long = false;       ///< then text is empty
    };

    /// Takes octets from the front of `input` up to the end of the next line; nothing when all of
    /// it was taken.
    [[nodiscard]] std::optional<Line> next(std::string_view& input);

    /// At the end of the stream: the last line, where it has no end of its own.
    [[nodiscard]] std::optional<Line> last();

    /// The line that has begun is not the stream's last one: it belongs to no request.
    void forget_half() {
        held_.clear();
        skipping_ = false;
    }

    /// Lines that have ended.
    [[nodiscard]] std::uint64_t lines() const { return number_; }
    [[nodiscard]] bool within_line() const { return skipping_ || !held_.empty(); }
    [[nodiscard]] LinePlace place() const {
        return {.number = number_, .held = held_, .skipping = skipping_};
    }

private:
    [[nodiscard]] std::optional<Line> finish(std::string_view piece);

    std::string held_;  // begin of a line, <= line_bytes_max
    std::string line_;  // what a Line of two pieces points to
    std::uint64_t number_ = 0;
    bool skipping_ = false;
};

}  // namespace smsrack::wire
