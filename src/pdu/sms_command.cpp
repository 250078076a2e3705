#include "src/pdu/sms_command.hpp"

namespace smsrack::pdu {

SmsCommand read_sms_command(Reader& reader, FirstOctet first) {
    constexpr std::size_t command_octets_max = 156;
    constexpr std::string_view length_field = "TP-CDL";
    SmsCommand record{.first = first};
    record.tp_mr = reader.octet("TP-MR");
    record.tp_pid = reader.octet("TP-PID");
    record.tp_ct = reader.octet("TP-CT");
    record.tp_mn = reader.octet("TP-MN");
    record.destination = read_address(reader, "TP-DA");
    const std::size_t at = reader.offset();
    const std::size_t length = reader.octet(length_field);
    if (length > command_octets_max) {
        reader.fail(PduErrc::bad_udl, at, length_field);
    }
    record.data = reader.octets(length, "TP-CD");
    return record;
}

}  // namespace smsrack::pdu
