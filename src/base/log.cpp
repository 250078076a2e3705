#include "src/base/log.hpp"

namespace smsrack {

std::string masked_number(std::string_view number) {
    constexpr std::size_t head = 4;
    constexpr std::size_t tail = 3;
    if (number.size() <= head + tail) {
        return std::string(number.size(), '*');
    }
    std::string masked(number);
    for (std::size_t i = head; i + tail < masked.size(); ++i) {
        masked[i] = '*';
    }
    return masked;
}

}  // namespace smsrack
