/// What an ESME is given of an event of the service: a receipt, a received message, or nothing.
#pragma once

#include "src/smpp/account.hpp"
#include "src/smpp/pdu/message.hpp"
#include "src/wire/json.hpp"

#include <cstdint>
#include <vector>

namespace smsrack::gate {

/// In order; none: nothing of it is for the account. `part_reference`: of a long message that it gets in parts.
[[nodiscard]] std::vector<smpp::Message> pdus_of(const wire::Json& event,
                                                 const smpp::Account& account,
                                                 std::uint8_t part_reference);

}  // namespace smsrack::gate
