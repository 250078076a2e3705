/// SMS-DELIVER-REPORT and SMS-SUBMIT-REPORT: the two answers of the transfer layer, with or without
/// a failure cause.
///
/// Errors:  truncated, bad_udl, bad_udh stay in the reader. Views live as long as the octets read.
/// Source:  3GPP TS 23.040 9.2.2.1a, 9.2.2.2a. TP-FCS is there when bit 7 of the second octet is
///          set.
#pragma once

#include "src/pdu/first_octet.hpp"
#include "src/pdu/reader.hpp"
#include "src/pdu/report_parameters.hpp"
#include "src/pdu/scts.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::pdu {

struct SmsDeliverReport {
    FirstOctet first = {};
    std::optional<std::uint8_t> tp_fcs = {};  ///< 128..255
    ReportParameters parameters = {};
};

struct SmsSubmitReport {
    FirstOctet first = {};
    std::optional<std::uint8_t> tp_fcs = {};  ///< 128..255
    Timestamp scts = {};
    ReportParameters parameters = {};
};

/// TP-FCS; nullopt: the report has none.
[[nodiscard]] inline std::optional<std::uint8_t> read_failure_cause(Reader& reader) {
    constexpr std::uint8_t cause_bit = 0x80;
    const Octets rest = reader.rest();
    if (rest.empty() || (rest[0] & cause_bit) == 0) {
        return std::nullopt;
    }
    return reader.octet("TP-FCS");
}

/// Both read all behind the first octet.
[[nodiscard]] inline SmsDeliverReport read_sms_deliver_report(Reader& reader, FirstOctet first) {
    SmsDeliverReport record{.first = first};
    record.tp_fcs = read_failure_cause(reader);
    const std::uint8_t tp_pi = read_parameter_indicator(reader);
    record.parameters = read_report_parameters(reader, tp_pi, first.tp_udhi());
    return record;
}

[[nodiscard]] inline SmsSubmitReport read_sms_submit_report(Reader& reader, FirstOctet first) {
    SmsSubmitReport record{.first = first};
    record.tp_fcs = read_failure_cause(reader);
    const std::uint8_t tp_pi = read_parameter_indicator(reader);
    record.scts = read_timestamp(reader, "TP-SCTS");
    record.parameters = read_report_parameters(reader, tp_pi, first.tp_udhi());
    return record;
}

}  // namespace smsrack::pdu
