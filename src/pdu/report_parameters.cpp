#include "src/pdu/report_parameters.hpp"

namespace smsrack::pdu {
namespace {

constexpr std::string_view indicator_field = "TP-PI";
constexpr std::uint8_t has_pid = 0x01;
constexpr std::uint8_t has_dcs = 0x02;
constexpr std::uint8_t has_user_data = 0x04;
constexpr std::uint8_t extension = 0x80;

}  // namespace

std::uint8_t read_parameter_indicator(Reader& reader) {
    const std::uint8_t tp_pi = reader.octet(indicator_field);
    for (std::uint8_t octet = tp_pi; (octet & extension) != 0;) {
        octet = reader.octet(indicator_field);
    }
    return tp_pi;
}

ReportParameters read_report_parameters(Reader& reader, std::uint8_t tp_pi, bool tp_udhi) {
    ReportParameters parameters{.tp_pi = tp_pi};
    if ((tp_pi & has_pid) != 0) {
        parameters.tp_pid = reader.octet("TP-PID");
    }
    if ((tp_pi & has_dcs) != 0) {
        parameters.tp_dcs = read_dcs(reader.octet("TP-DCS"));
    }
    if ((tp_pi & has_user_data) != 0) {
        parameters.user_data = read_user_data(reader, parameters.tp_dcs.value_or(Dcs{}), tp_udhi);
    }
    return parameters;
}

}  // namespace smsrack::pdu
