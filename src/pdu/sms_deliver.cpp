#include "src/pdu/sms_deliver.hpp"

namespace smsrack::pdu {

SmsDeliver read_sms_deliver(Reader& reader, FirstOctet first) {
    SmsDeliver record{.first = first};
    record.originator = read_address(reader, "TP-OA");
    record.tp_pid = reader.octet("TP-PID");
    const Dcs dcs = read_dcs(reader.octet("TP-DCS"));
    record.scts = read_timestamp(reader, "TP-SCTS");
    record.user_data = read_user_data(reader, dcs, first.tp_udhi());
    return record;
}

}  // namespace smsrack::pdu
