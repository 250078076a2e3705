#include "src/pdu/sms_acknowledgements.hpp"

namespace smsrack::pdu {
namespace {

std::optional<std::uint8_t> read_failure_cause(Reader& reader) {
    constexpr std::uint8_t cause_bit = 0x80;
    const Octets rest = reader.rest();
    if (rest.empty() || (rest[0] & cause_bit) == 0) {
        return std::nullopt;
    }
    return reader.octet("TP-FCS");
}

}  // namespace

SmsDeliverReport read_sms_deliver_report(Reader& reader, FirstOctet first) {
    SmsDeliverReport record{.first = first};
    record.tp_fcs = read_failure_cause(reader);
    const std::uint8_t tp_pi = read_parameter_indicator(reader);
    record.parameters = read_report_parameters(reader, tp_pi, first.tp_udhi());
    return record;
}

SmsSubmitReport read_sms_submit_report(Reader& reader, FirstOctet first) {
    SmsSubmitReport record{.first = first};
    record.tp_fcs = read_failure_cause(reader);
    const std::uint8_t tp_pi = read_parameter_indicator(reader);
    record.scts = read_timestamp(reader, "TP-SCTS");
    record.parameters = read_report_parameters(reader, tp_pi, first.tp_udhi());
    return record;
}

}  // namespace smsrack::pdu
