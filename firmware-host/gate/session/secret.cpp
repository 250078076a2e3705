#include "firmware-host/gate/session/secret.hpp"

#include "src/base/hex.hpp"

#include <array>
#include <span>
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
    return hex_of(std::as_bytes(std::span(chance)));
}

}  // namespace smsrack::gate
