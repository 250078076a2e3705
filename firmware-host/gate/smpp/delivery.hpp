/// What an ESME is given: a receipt, or a received message, until it has taken it.
#pragma once

#include "firmware-host/gate/smpp/open_submits.hpp"
#include "src/base/clock.hpp"
#include "src/smpp/pdu/message.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace smsrack::gate {

struct Delivery {
    std::int64_t event = 0;
    std::string message = {};  ///< its id
    /// Told only once all submits of the account up to this one are answered.
    OpenSubmits::Number behind = 0;
    std::vector<smpp::Message> pdus = {};  ///< in order; the next one when the one before is taken
    std::size_t taken = 0;                 ///< of pdus
    bool in_flight = false;
    unsigned tries = 0;  ///< that were put off
    SteadyTime not_before = {};

    /// About what it takes in memory.
    [[nodiscard]] std::size_t octets() const {
        std::size_t sum = sizeof(Delivery);
        for (const smpp::Message& pdu : pdus) {
            sum += sizeof(smpp::Message) + pdu.short_message.size();
            for (const smpp::Tlv& tlv : pdu.tlvs) {
                sum += sizeof(smpp::Tlv) + tlv.octets.size();
            }
        }
        return sum;
    }
    [[nodiscard]] bool is_done() const { return taken == pdus.size(); }
};

/// The wait before the next try, when it was put off `tries` times before.
[[nodiscard]] constexpr std::chrono::seconds pause_after(unsigned tries) {
    constexpr unsigned doublings_max = 6;
    return std::chrono::seconds(1U << (tries < doublings_max ? tries : doublings_max));
}

}  // namespace smsrack::gate
