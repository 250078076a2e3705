/// The IP address of a socket's address.
///
/// Errors:  nullopt: it is of another family.
#pragma once

#include "src/config/ip_address.hpp"

#include <optional>

struct sockaddr;

namespace smsrack::gate {

[[nodiscard]] std::optional<config::IpAddress> ip_address_of(const sockaddr& address);

}  // namespace smsrack::gate
