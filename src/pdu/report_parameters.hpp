/// The optional end of the reports: TP-PI says which of TP-PID, TP-DCS and TP-UD follow.
///
/// Errors:  truncated, bad_udl, bad_udh stay in the reader.
/// Source:  3GPP TS 23.040 9.2.3.27. Reserved bits are ignored, extension octets skipped.
#pragma once

#include "src/pdu/reader.hpp"
#include "src/pdu/user_data.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::pdu {

struct ReportParameters {
    std::uint8_t tp_pi = 0;  ///< its first octet
    std::optional<std::uint8_t> tp_pid = {};
    std::optional<Dcs> tp_dcs = {};
    std::optional<UserData> user_data = {};  ///< with DCS 00 where there is no TP-DCS
};

/// TP-PI alone, with its extension octets.
[[nodiscard]] inline std::uint8_t read_parameter_indicator(Reader& reader) {
    constexpr std::uint8_t extension = 0x80;
    const std::uint8_t tp_pi = reader.octet("TP-PI");
    for (std::uint8_t octet = tp_pi; (octet & extension) != 0;) {
        octet = reader.octet("TP-PI");
    }
    return tp_pi;
}

/// What TP-PI announced.
[[nodiscard]] inline ReportParameters read_report_parameters(Reader& reader, std::uint8_t tp_pi,
                                                             bool tp_udhi) {
    ReportParameters parameters{.tp_pi = tp_pi};
    if ((tp_pi & 0x01U) != 0) {
        parameters.tp_pid = reader.octet("TP-PID");
    }
    if ((tp_pi & 0x02U) != 0) {
        parameters.tp_dcs = read_dcs(reader.octet("TP-DCS"));
    }
    if ((tp_pi & 0x04U) != 0) {
        parameters.user_data = read_user_data(reader, parameters.tp_dcs.value_or(Dcs{}), tp_udhi);
    }
    return parameters;
}

}  // namespace smsrack::pdu
