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
[[nodiscard]] std::uint8_t read_parameter_indicator(Reader& reader);

/// What TP-PI announced.
[[nodiscard]] ReportParameters read_report_parameters(Reader& reader, std::uint8_t tp_pi,
                                                      bool tp_udhi);

}  // namespace smsrack::pdu
