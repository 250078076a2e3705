#include "firmware-host/gate/session/secret.hpp"

#include <array>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/random.h>
#include <sys/types.h>

namespace smsrack::gate {

std::string new_secret() {
    constexpr std::size_t bytes = 32;
    std::array<unsigned char, bytes> chance{};
    // So few come whole, as soon as the kernel has any.
    if (::getrandom(chance.data(), chance.size(), 0) != static_cast<ssize_t>(chance.size())) {
        throw std::runtime_error("the kernel gives no random octets");
    }
    return fmt::format("{:02x}", fmt::join(chance, ""));
}

}  // namespace smsrack::gate
