/// Text of at most N octets, stored inside the object: the fields of a PDU are short, and a record
/// must not allocate.
#pragma once

#include "src/base/check.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::pdu {

template <std::size_t N>
class ShortText {
    static_assert(N < 256);

public:
    static constexpr std::size_t capacity = N;

    void push_back(char c) {
        SMSRACK_CHECK(size_ < N);
        characters_[size_] = c;
        ++size_;
    }
    void append(std::string_view text) {
        for (const char c : text) {
            push_back(c);
        }
    }
    [[nodiscard]] std::string_view view() const { return {characters_.data(), size_}; }
    [[nodiscard]] bool empty() const { return size_ == 0; }

private:
    std::array<char, N> characters_ = {};
    std::uint8_t size_ = 0;
};

}  // namespace smsrack::pdu
