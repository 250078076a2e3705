/// Splits the modem's bytes into lines, and finds the prompt.
///
/// A line ends at CR or LF; empty lines, NULs and everything that is not printable ASCII are dropped,
/// blanks are trimmed. However the bytes are cut in pieces, the lines are the same.
/// Bound:   line_max characters; what is longer is cut there (no line of a modem is: the largest
///          PDU has 352 digits).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::at {

struct FramedLine {
    std::string_view text;  ///< until the next call
    bool prompt = false;    ///< "> ", which no line end follows
};

class LineFramer {
public:
    static constexpr std::size_t line_max = 1024;

    LineFramer();

    /// The prompt counts only while it is expected: "> " in a text is text.
    void expect_prompt(bool expected) { prompt_expected_ = expected; }

    /// Takes from the front of `bytes` until a line is whole; nullopt: all bytes are taken.
    [[nodiscard]] std::optional<FramedLine> next(std::span<const char>& bytes);

    /// What has come of a line that is not whole yet, and whether the prompt counts: for resume().
    [[nodiscard]] std::string half_line() const { return told_ ? std::string() : line_; }
    [[nodiscard]] bool expects_prompt() const { return prompt_expected_; }
    /// Octets since the last whole line that are not part of any: noise, or another rate of the port.
    [[nodiscard]] std::size_t strange() const { return strange_; }
    /// Continues after what another framer had taken.
    void resume(std::string_view half_line, bool prompt_expected);

    /// Forgets a half line, as when the port was closed.
    void clear();

private:
    std::string line_;
    bool prompt_expected_ = false;
    std::size_t strange_ = 0;
    bool told_ = false;  // line_ was handed out by the last call
};

}  // namespace smsrack::at
