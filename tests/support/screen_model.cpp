#include "tests/support/screen_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace smsrack::test {
namespace {

constexpr char escape = '\x1B';

std::size_t octets_of_character(char first) {
    const auto octet = static_cast<unsigned char>(first);
    return octet < 0x80 ? 1 : octet >= 0xF0 ? 4 : octet >= 0xE0 ? 3 : 2;
}

}  // namespace

ScreenModel::ScreenModel(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {
    grid_ = blank();
    kept_ = blank();
}

ScreenModel::Grid ScreenModel::blank() const {
    return Grid(rows_, std::vector<std::string>(columns_, " "));
}

void ScreenModel::resize(std::size_t rows, std::size_t columns) {
    rows_ = rows;
    columns_ = columns;
    for (Grid* grid : {&grid_, &kept_}) {
        grid->resize(rows, std::vector<std::string>(columns, " "));
        for (auto& line : *grid) {
            line.resize(columns, " ");
        }
    }
    row_ = std::min(row_, rows - 1);
    column_ = std::min(column_, columns);
}

std::vector<std::string> ScreenModel::lines() const {
    std::vector<std::string> lines;
    for (const auto& cells : grid_) {
        std::string line;
        for (const std::string& cell : cells) {
            line += cell;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string ScreenModel::text() const {
    std::string text;
    for (const std::string& line : lines()) {
        text += line + "\n";
    }
    return text;
}

void ScreenModel::feed(std::string_view octets) {
    for (const char c : octets) {
        if (!begun_.empty() && begun_.front() == escape) {
            begun_ += c;
            const bool is_csi = begun_.size() > 1 && begun_[1] == '[';
            if (is_csi ? begun_.size() > 2 && c >= '@' && c <= '~' : begun_.size() > 1) {
                if (is_csi) {
                    sequence(c);
                } else {
                    ++unknown_;
                }
                begun_.clear();
            }
        } else if (!begun_.empty()) {
            begun_ += c;
            if (begun_.size() == octets_of_character(begun_.front())) {
                put(std::exchange(begun_, {}));
            }
        } else if (c == escape || octets_of_character(c) > 1) {
            begun_ = c;
        } else if (static_cast<unsigned char>(c) < ' ') {
            control(c);
        } else {
            put(std::string(1, c));
        }
    }
}

void ScreenModel::put(std::string character) {
    if (column_ == columns_) {  // the wrap that was put off until there is one more
        ++wraps_;
        column_ = 0;
        new_line();
    }
    grid_[row_][column_++] = std::move(character);
}

void ScreenModel::new_line() {
    if (row_ + 1 < rows_) {
        ++row_;
        return;
    }
    scrolls_ += other_ ? 0 : 1;
    grid_.erase(grid_.begin());
    grid_.emplace_back(columns_, " ");
}

void ScreenModel::control(char c) {
    switch (c) {
        case '\r':
            column_ = 0;
            break;
        case '\n':
            new_line();
            break;
        case '\b':
            column_ -= column_ > 0 ? 1 : 0;
            break;
        case '\t':
            column_ = std::min((column_ / 8 + 1) * 8, columns_ - 1);
            break;
        case '\a':
            break;
        default:
            ++unknown_;
    }
}

/// Of "\x1B[3;4H" the first is 3.
std::size_t ScreenModel::number(std::size_t index, std::size_t absent) const {
    std::string_view list = std::string_view(begun_).substr(2, begun_.size() - 3);
    for (; index > 0; --index) {
        const std::size_t semicolon = list.find(';');
        list =
            semicolon == std::string_view::npos ? std::string_view() : list.substr(semicolon + 1);
    }
    const std::string digits(list.substr(0, list.find(';')));
    return digits.empty() ? absent : static_cast<std::size_t>(std::atoi(digits.c_str()));
}

void ScreenModel::erase_line(std::size_t from, std::size_t to) {
    std::fill(grid_[row_].begin() + static_cast<std::ptrdiff_t>(std::min(from, columns_)),
              grid_[row_].begin() + static_cast<std::ptrdiff_t>(std::min(to, columns_)), " ");
}

void ScreenModel::mode(std::string_view number, bool on) {
    if (number == "25") {
        cursor_ = on;
    } else if (number == "1049" && on != other_) {
        other_ = on;
        std::swap(grid_, kept_);
        if (on) {
            kept_row_ = row_;
            kept_column_ = column_;
        } else {
            row_ = std::min(kept_row_, rows_ - 1);
            column_ = std::min(kept_column_, columns_);
        }
    } else if (number != "1049" && number != "2004") {  // 2004: pasting, which a shell asks for
        ++unknown_;
    }
}

void ScreenModel::sequence(char final_octet) {
    if (begun_[2] == '?') {
        if (final_octet == 'h' || final_octet == 'l') {
            mode(std::string_view(begun_).substr(3, begun_.size() - 4), final_octet == 'h');
        } else {
            ++unknown_;
        }
        return;
    }
    switch (final_octet) {
        case 'H':
            row_ = std::min(std::max<std::size_t>(number(0, 1), 1), rows_) - 1;
            column_ = std::min(std::max<std::size_t>(number(1, 1), 1), columns_) - 1;
            break;
        case 'J':
            if (number(0, 0) == 2) {
                grid_ = blank();
            } else {
                ++unknown_;
            }
            break;
        case 'K':
            if (number(0, 0) == 0) {
                erase_line(column_, columns_);
            } else {
                ++unknown_;
            }
            break;
        case 'm':
            colours_ += number(0, 0) == 0 ? 0 : 1;
            break;
        default:
            ++unknown_;
    }
}

}  // namespace smsrack::test
