/// The receive queue of one modem: PDUs as the modem gave them, in a fixed ring (Boost.Lockfree).
///
/// Bound:   16 PDUs, as many as a modem may have unacknowledged here. A full ring pauses reading:
/// the SIM and the service
///          centre hold the rest.
/// Threads: push() by the line's thread, pop() by one codec worker at a time.
/// Source:  [SMSEngine] receive queue.
#pragma once

#include "src/base/ids.hpp"
#include "src/sms/inbound.hpp"

#include <boost/lockfree/spsc_queue.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::queue {

/// Octets of a service centre field (12) and a TPDU (164), rounded up.
inline constexpr std::size_t received_octets_max = 192;

struct ReceivedOctets {
    std::uint32_t token = 0;                ///< for the acknowledgement
    SimId sim = {};                         ///< that it was read from
    std::optional<HeldPlace> held_at = {};  ///< there, until it is acknowledged
    std::optional<WallTime> heard_at = {};  ///< read from the modem then; nullopt: not known
    std::optional<WallTime> noted_at = {};  ///< it lay there then already; nullopt: not known
    std::uint8_t length = 0;
    std::array<char, received_octets_max> octets = {};

    [[nodiscard]] std::string_view view() const { return {octets.data(), length}; }
};

inline constexpr std::size_t receive_queue_places = 16;

class ReceiveQueue {
public:
    [[nodiscard]] bool push(const ReceivedOctets& pdu) { return ring_.push(pdu); }
    [[nodiscard]] bool pop(ReceivedOctets& pdu) { return ring_.pop(pdu); }

private:
    boost::lockfree::spsc_queue<ReceivedOctets, boost::lockfree::capacity<receive_queue_places>>
        ring_;
};

}  // namespace smsrack::queue
