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
    // A call for so few octets is never interrupted, and waits only until the kernel has collected enough at boot.
    if (::getrandom(chance.data(), chance.size(), 0) != static_cast<ssize_t>(chance.size())) {
        throw std::runtime_error("the kernel gives no random octets");
    }
    return fmt::format("{:02x}", fmt::join(chance, ""));
}

}  // namespace smsrack::gate
