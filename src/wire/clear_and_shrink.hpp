/// Empties a buffer. The memory of a large one is given back: each of a thousand connections keeps
/// what this keeps.
#pragma once

#include <cstddef>
#include <string>

namespace smsrack::wire {

inline void clear_and_shrink(std::string& buffer) {
    constexpr std::size_t kept_max = 4UL * 1024;
    if (buffer.capacity() > kept_max) {
        std::string().swap(buffer);  // an assignment would keep the memory
    } else {
        buffer.clear();
    }
}

}  // namespace smsrack::wire
