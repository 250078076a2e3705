#include "src/pdu/sms_status_report.hpp"

#include <array>

namespace smsrack::pdu {
namespace {

/// Records of a SIM are padded with FF: what is not a well-formed optional part is left where it
/// is.
std::optional<ReportParameters> read_optional_part(Reader& reader, bool tp_udhi) {
    if (reader.failed() || reader.rest().empty()) {
        return std::nullopt;
    }
    Reader ahead = reader;
    const std::uint8_t tp_pi = read_parameter_indicator(ahead);
    const ReportParameters parameters = read_report_parameters(ahead, tp_pi, tp_udhi);
    if (ahead.failed()) {
        return std::nullopt;
    }
    reader = ahead;
    return parameters;
}

}  // namespace

SmsStatusReport read_sms_status_report(Reader& reader, FirstOctet first) {
    SmsStatusReport record{.first = first};
    record.tp_mr = reader.octet("TP-MR");
    record.recipient = read_address(reader, "TP-RA");
    record.scts = read_timestamp(reader, "TP-SCTS");
    record.discharge = read_timestamp(reader, "TP-DT");
    record.tp_st = reader.octet("TP-ST");
    record.parameters = read_optional_part(reader, first.tp_udhi());
    return record;
}

std::string_view tp_status_class(std::uint8_t tp_st) {
    constexpr std::array<std::string_view, 4> classes{"completed", "pending", "permanent_failure",
                                                      "temporary_failure"};
    const std::size_t block = tp_st >> 5U;
    return block < classes.size() ? classes[block] : "reserved";
}

}  // namespace smsrack::pdu
