/// Models what a terminal shows for the octets that it got: as much of ECMA-48 and xterm as the
/// programs use, with counts of unpleasant effects.
///
/// Errors:  unknown sequences are counted, so that a test can demand that there were none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::test {

class ScreenModel {
public:
    ScreenModel(std::size_t rows, std::size_t columns);

    void feed(std::string_view octets);
    /// As xterm: what is there stays, cut or with blanks.
    void resize(std::size_t rows, std::size_t columns);

    /// Without blanks at their ends.
    [[nodiscard]] std::vector<std::string> lines() const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool shows(std::string_view part) const { return text().contains(part); }
    [[nodiscard]] std::size_t row() const { return row_; }

    [[nodiscard]] bool other_screen() const { return other_; }
    [[nodiscard]] bool cursor_shown() const { return cursor_; }
    /// Characters that did not fit their line and went to the next; lines that left the top of the usual screen. Since forget().
    [[nodiscard]] std::size_t wraps() const { return wraps_; }
    [[nodiscard]] std::size_t scrolls() const { return scrolls_; }
    [[nodiscard]] std::size_t unknown() const { return unknown_; }
    /// SGR sequences other than "\x1B[0m".
    [[nodiscard]] std::size_t colours() const { return colours_; }
    void forget() { wraps_ = scrolls_ = unknown_ = colours_ = 0; }

private:
    using Grid = std::vector<std::vector<std::string>>;

    [[nodiscard]] Grid blank() const;
    void put(std::string character);
    void control(char c);
    void new_line();
    void sequence(char final_octet);
    void mode(std::string_view number, bool on);
    [[nodiscard]] std::size_t number(std::size_t index, std::size_t absent) const;
    void erase_line(std::size_t from, std::size_t to);

    std::size_t rows_;
    std::size_t columns_;
    Grid grid_;
    Grid kept_;  // of the usual screen, while the other one is shown
    std::size_t row_ = 0;
    std::size_t column_ = 0;
    std::size_t kept_row_ = 0;
    std::size_t kept_column_ = 0;
    std::string begun_;  // of a sequence or a character
    bool other_ = false;
    bool cursor_ = true;
    std::size_t wraps_ = 0;
    std::size_t scrolls_ = 0;
    std::size_t unknown_ = 0;
    std::size_t colours_ = 0;
};

}  // namespace smsrack::test
