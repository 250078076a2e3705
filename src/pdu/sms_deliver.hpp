/// SMS-DELIVER: a message that came from the network.
///
/// Errors:  truncated, bad_address, bad_udl, bad_udh stay in the reader. Views live as long as the
///          octets read.
/// Source:  3GPP TS 23.040 9.2.2.1.
#pragma once

#include "src/pdu/address_field.hpp"
#include "src/pdu/first_octet.hpp"
#include "src/pdu/reader.hpp"
#include "src/pdu/scts.hpp"
#include "src/pdu/user_data.hpp"

#include <cstdint>

namespace smsrack::pdu {

struct SmsDeliver {
    FirstOctet first = {};
    AddressField originator = {};
    std::uint8_t tp_pid = 0;
    Timestamp scts = {};
    UserData user_data = {};
};

/// Reads all behind the first octet.
[[nodiscard]] inline SmsDeliver read_sms_deliver(Reader& reader, FirstOctet first) {
    SmsDeliver record{.first = first};
    record.originator = read_address(reader, "TP-OA");
    record.tp_pid = reader.octet("TP-PID");
    const Dcs dcs = read_dcs(reader.octet("TP-DCS"));
    record.scts = read_timestamp(reader, "TP-SCTS");
    record.user_data = read_user_data(reader, dcs, first.tp_udhi());
    return record;
}

}  // namespace smsrack::pdu
