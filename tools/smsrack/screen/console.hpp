/// Standard output and standard error, for a person or a program.
///
/// Threads: one. Output is buffered; flush() writes it, as does the end of the program.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::cli {

/// What the surroundings say; main() finds it out.
struct ConsoleTraits {
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    bool colour = false;  ///< a terminal, and NO_COLOR is not set
    /// A terminal that can be written anywhere: not the "dumb" one of an editor.
    bool full_screen = false;
    /// Of the terminal behind standard output; 0: none, lines may have any length.
    std::size_t out_columns = 0;
    std::size_t out_rows = 0;     ///< of that terminal
    std::size_t err_columns = 0;  ///< the same for standard error
};

class Console {
public:
    explicit Console(ConsoleTraits traits) : traits_(traits) {}

    /// To standard output. What a terminal would not show as what it is is escaped as JSON does,
    /// whatever its origin.
    void write(std::string_view text);
    /// For a file of another program, such as a spreadsheet: octets as they are. On a terminal as write().
    void write_as_is(std::string_view octets);
    /// False where standard output can't take what was written: a full disk, a closed pipe.
    bool flush();

    /// One line to standard error, with "smsrack: " before it.
    void complain(std::string_view message);

    /// One line to standard error, with the same guard; on a terminal several lines of whole words.
    void note(std::string_view line);

    /// A line of progress on standard error that the next one replaces; nothing where that is not a
    /// terminal. It is cut to the terminal's width: a line that wraps could not be replaced.
    void progress(std::string_view line);
    void end_progress();

    [[nodiscard]] const ConsoleTraits& traits() const { return traits_; }

    /// `text` in bold where there are colours.
    [[nodiscard]] std::string bold(std::string_view text) const;

private:
    const ConsoleTraits traits_;
    bool progress_shown_ = false;
};

/// What is not shown as what it is made visible, as seen_text() does: a received text may hold the escape sequences of a
/// terminal, or turn the direction of the line.
[[nodiscard]] std::string printable(std::string_view text);

/// Columns that `text` takes on a terminal: 2 for East Asian wide characters and emoji, 0 for
/// combining marks.
[[nodiscard]] std::size_t columns_of(std::string_view text);

}  // namespace smsrack::cli
