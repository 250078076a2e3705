/// Reads the octets of a PDU from left to right. The first problem is the one that counts; after it
/// every read gives zero, so that a PDU is read field by field without a branch for each.
///
/// Unit:    integers are in network order (SMPP 3.4 3.1).
/// Errors:  problem() once failed().
#pragma once

#include "src/smpp/status.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::smpp {

/// What is wrong with a PDU, as its error answer and its reader need it.
struct Problem {
    Status status = Status::ok;
    std::string_view field = {};  ///< a constant
    std::size_t offset = 0;       ///< of the octet, from the begin of the PDU
};

class Reader {
public:
    /// `begin`: where the first of `octets` is in its PDU.
    explicit Reader(std::string_view octets, std::size_t begin = 0)
        : octets_(octets), begin_(begin) {}

    [[nodiscard]] std::uint8_t octet(std::string_view field) {
        return static_cast<std::uint8_t>(number<1>(field));
    }
    [[nodiscard]] std::uint16_t two(std::string_view field) {
        return static_cast<std::uint16_t>(number<2>(field));
    }
    [[nodiscard]] std::uint32_t four(std::string_view field) { return number<4>(field); }

    /// A C-octet string of at most `max` octets with its NUL; `wrong` if it is longer, or has no end.
    [[nodiscard]] std::string_view text(std::size_t max, std::string_view field, Status wrong) {
        const std::string_view window = rest().substr(0, max);
        const std::size_t length = window.find('\0');
        if (failed() || length == std::string_view::npos) {
            fail(wrong, field);
            return {};
        }
        at_ += length + 1;
        return window.substr(0, length);
    }

    [[nodiscard]] std::string_view octets(std::size_t count, std::string_view field, Status wrong) {
        if (failed() || rest().size() < count) {
            fail(wrong, field);
            return {};
        }
        at_ += count;
        return octets_.substr(at_ - count, count);
    }

    [[nodiscard]] std::string_view rest() const { return octets_.substr(at_); }

    void fail(Status status, std::string_view field) {
        if (!failed()) {
            problem_ = {.status = status, .field = field, .offset = begin_ + at_};
        }
    }
    [[nodiscard]] bool failed() const { return problem_.status != Status::ok; }
    [[nodiscard]] const Problem& problem() const { return problem_; }

private:
    template <std::size_t Octets>
    std::uint32_t number(std::string_view field) {
        std::uint32_t value = 0;
        for (const char octet : octets(Octets, field, Status::invalid_command_length)) {
            value = (value << 8U) | static_cast<unsigned char>(octet);
        }
        return value;
    }

    std::string_view octets_;
    std::size_t begin_;
    std::size_t at_ = 0;
    Problem problem_ = {};
};

}  // namespace smsrack::smpp
