/// Reads a JSON object in place where nothing in it needs decoding: nearly every line of a feed.
#pragma once

#include "src/pdu/alphabet/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::api {

/// Reads what needs no decoding; every `false` or nothing leaves the line to the library.
class LineScan {
public:
    explicit LineScan(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

    [[nodiscard]] bool take(char wanted) {
        pass_spaces();
        if (at_ == end_ || *at_ != wanted) {
            return false;
        }
        ++at_;
        return true;
    }
    [[nodiscard]] bool at_end() {
        pass_spaces();
        return at_ == end_;
    }

    /// A string without escapes.
    [[nodiscard]] std::optional<std::string_view> string() {
        if (!take('"')) {
            return std::nullopt;
        }
        const char* const begin = at_;
        while (at_ != end_ && *at_ != '"') {
            const auto octet = static_cast<unsigned char>(*at_);
            if (octet < 0x20 || octet == '\\') {
                return std::nullopt;
            }
            if (octet < 0x80) {
                ++at_;
            } else if (const auto octets = character_octets()) {
                at_ += octets;
            } else {
                return std::nullopt;
            }
        }
        if (at_ == end_) {
            return std::nullopt;
        }
        return std::string_view(begin, at_++);
    }

    /// A value that is skipped: a string, a plain number, or a word.
    [[nodiscard]] bool pass_value() {
        pass_spaces();
        if (at_ == end_) {
            return false;
        }
        switch (*at_) {
            case '"':
                return string().has_value();
            case 't':
                return pass_word("true");
            case 'f':
                return pass_word("false");
            case 'n':
                return pass_word("null");
            default:
                return pass_number();
        }
    }

private:
    void pass_spaces() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) {
            ++at_;
        }
    }
    [[nodiscard]] std::uint8_t character_octets() const {
        return pdu::long_code_point_at({at_, end_}, 0).octets;
    }
    [[nodiscard]] bool pass_word(std::string_view word) {
        if (!std::string_view(at_, end_).starts_with(word)) {
            return false;
        }
        at_ += word.size();
        return true;
    }
    [[nodiscard]] std::size_t pass_digits() {
        const char* const begin = at_;
        at_ = std::find_if(at_, end_, [](char c) { return c < '0' || c > '9'; });
        return static_cast<std::size_t>(at_ - begin);
    }
    /// Without an exponent, and short: no such number is out of the library's range.
    [[nodiscard]] bool pass_number() {
        constexpr std::size_t digits_max = 17;
        at_ += *at_ == '-' ? 1 : 0;
        const bool zero = at_ != end_ && *at_ == '0';
        const std::size_t whole = pass_digits();
        if (whole == 0 || whole > digits_max || (zero && whole > 1)) {
            return false;
        }
        if (at_ == end_ || *at_ != '.') {
            return true;  // the caller checks what follows
        }
        ++at_;
        const std::size_t part = pass_digits();
        return part > 0 && part <= digits_max;
    }

    const char* at_;
    const char* const end_;
};

/// The names of one object, to see one that is given twice.
class LineNames {
public:
    [[nodiscard]] bool add(std::string_view name) {
        if (count_ == names_.size() ||
            std::find(names_.begin(), names_.begin() + count_, name) != names_.begin() + count_) {
            return false;
        }
        names_.at(count_++) = name;
        return true;
    }

private:
    std::array<std::string_view, 16> names_;
    std::uint8_t count_ = 0;
};

}  // namespace smsrack::api
