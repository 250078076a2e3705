/// The part of the transfer layer that a network needs: it reads an SMS-SUBMIT, and makes
/// SMS-DELIVER and SMS-STATUS-REPORT.
///
/// Written apart from src/pdu on purpose: a mistake in the codec is not answered by the same
/// mistake here.
/// Source:  3GPP TS 23.040 9.1.2.5, 9.2.2.1 to 9.2.2.3, 9.2.3.11.
#pragma once

#include "src/base/clock.hpp"
#include "tools/modem_model/sms/sms_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

struct Submit {
    bool report_requested = false;       ///< TP-SRR
    std::string destination = {};        ///< digits, with "+" where international
    std::string destination_field = {};  ///< TP-DA as its octets
};

/// Reads a PDU with its service centre field. Nullopt if it is not an SMS-SUBMIT, its length
/// without that field is not `tpdu_length` (the number after AT+CMGS=), or its fields do not fill
/// it exactly.
[[nodiscard]] std::optional<Submit> read_submit(std::string_view pdu, std::size_t tpdu_length);

/// TP-OA or TP-DA of a number, or of a name.
[[nodiscard]] std::string address_field(std::string_view number);
/// The digits of such a field, with "+" in front where international.
[[nodiscard]] std::string number_of_field(std::string_view field);

/// A PDU with its service centre field.
struct NetworkPdu {
    std::string octets = {};  ///< service centre field first
    std::size_t tpdu_length = 0;
};

/// `from`: digits, "+" in front where international; with a letter in it, alphanumeric (at most 11
/// characters).
/// `sent`: TP-SCTS, as time_stamp() or dead_stamp() has it.
[[nodiscard]] NetworkPdu make_deliver(std::string_view from, std::string_view sent,
                                      const TextSegment& segment);

inline constexpr std::size_t time_stamp_size = 7;  // octets

/// TP-SCTS in UTC, so with zone 0.
[[nodiscard]] std::string time_stamp(WallTime at);
/// TP-SCTS of a service centre without a clock: 0: all zeros, 1: all 0xFF, else 2000-01-01.
[[nodiscard]] std::string dead_stamp(int kind);

/// What the recipient of this SMS-SUBMIT gets. `submit`: a PDU that read_submit() took; `from`: as make_deliver().
[[nodiscard]] NetworkPdu forwarded(std::string_view submit, std::string_view from, WallTime sent);

struct Report {
    std::uint8_t mr = 0;
    std::string destination_field = {};  ///< as in the Submit
    WallTime sent = {};
    WallTime done = {};
    std::uint8_t status = 0;  ///< TP-Status
};

[[nodiscard]] NetworkPdu make_status_report(const Report& report);

/// The service centre of the simulated network.
inline constexpr std::string_view service_centre = "+33609001390";

}  // namespace smsrack::modem_sim
