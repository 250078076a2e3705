/// Translates one received PDU into the form that the store keeps. Pure.
///
/// Source:  3GPP TS 23.040 9.2.2.1, 9.2.2.3.
#pragma once

#include "src/sms/address.hpp"
#include "src/sms/inbound.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace smsrack::codec {

/// Where a PDU came in, and when.
struct Arrival {
    std::string modem;
    SimId sim;
    WallTime at;
    std::string own_number = {};            ///< of the line, where known
    NumberPlan plan = {};                   ///< by which national numbers are read there
    std::optional<HeldPlace> held_at = {};  ///< in the modem
    std::optional<WallTime> heard_at = {};  ///< read from it; nullopt: just now
    std::optional<WallTime> noted_at = {};  ///< it lay there then already; nullopt: not known
};

/// An InboundSegment for everything that is no status report, also for what can't be decoded (kept raw).
/// `octets`: with the service centre field.
[[nodiscard]] std::variant<InboundSegment, StatusReport> read_inbound(std::string_view octets,
                                                                      const Arrival& arrival);

}  // namespace smsrack::codec
