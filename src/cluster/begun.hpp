/// Whether a message was begun for certain: here, or at another box that has told its end.
#pragma once

#include "src/ports/fleet_store.hpp"
#include "src/sms/message_states.hpp"

namespace smsrack::cluster {

[[nodiscard]] inline bool was_begun(const ports::FleetRow& row) {
    return row.is_begun || was_sent(row.state);
}

}  // namespace smsrack::cluster
