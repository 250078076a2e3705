/// Lines out of a stream of octets.
///
/// Bound:   one line of at most `line_bytes_max`; a longer one is told as such and skipped up to its end.
/// Lines end with LF; a CR before it is dropped. Empty lines are skipped, as NDJSON readers do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::wire {

class LineSplitter {
public:
    static constexpr std::size_t line_bytes_max = 64UL * 1024;  ///< contract

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

private:
    [[nodiscard]] std::optional<Line> finish(std::string_view piece);

    std::string held_;  // begin of a line, <= line_bytes_max
    std::string line_;  // what a Line of two pieces points to
    std::uint64_t number_ = 0;
    bool skipping_ = false;
};

}  // namespace smsrack::wire
