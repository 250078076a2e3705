/// SMS-COMMAND: asks the service centre to do something with an earlier message.
///
/// Errors:  truncated, bad_address, bad_udl (TP-CDL above 156) stay in the reader. Views live as
///          long as the octets read.
/// Source:  3GPP TS 23.040 9.2.2.4.
#pragma once

#include "src/pdu/address_field.hpp"
#include "src/pdu/first_octet.hpp"
#include "src/pdu/reader.hpp"

#include <cstdint>

namespace smsrack::pdu {

struct SmsCommand {
    FirstOctet first = {};
    std::uint8_t tp_mr = 0;
    std::uint8_t tp_pid = 0;
    std::uint8_t tp_ct = 0;  ///< what to do
    std::uint8_t tp_mn = 0;  ///< with which message
    AddressField destination = {};
    Octets data = {};  ///< TP-CD, any header left in it
};

/// Reads all behind the first octet.
[[nodiscard]] inline SmsCommand read_sms_command(Reader& reader, FirstOctet first) {
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
