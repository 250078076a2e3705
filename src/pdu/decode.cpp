#include "src/pdu/decode.hpp"

#include <array>
#include <utility>

namespace smsrack::pdu {
namespace {

using Read = void (*)(Reader&, FirstOctet, Tpdu&);

template <auto read>
void read_as(Reader& reader, FirstOctet first, Tpdu& out) {
    out = read(reader, first);
}

constexpr Read deliver = read_as<read_sms_deliver>;
constexpr Read submit = read_as<read_sms_submit>;
constexpr Read status_report = read_as<read_sms_status_report>;
constexpr Read deliver_report = read_as<read_sms_deliver_report>;
constexpr Read submit_report = read_as<read_sms_submit_report>;
constexpr Read command = read_as<read_sms_command>;

/// By direction and TP-MTI; null: reserved.
constexpr std::array<std::array<Read, 4>, 3> readers{{
    {deliver, submit_report, status_report, deliver},  // to_mobile
    {deliver_report, submit, command, nullptr},        // from_mobile
    {deliver, submit, status_report, deliver},         // stored
}};

PduResult<DecodedPdu> decode_rest(Reader& reader, DecodedPdu& decoded, Direction direction) {
    const std::size_t at = reader.offset();
    decoded.tpdu_length = reader.rest().size();
    const FirstOctet first{.raw = reader.octet("TP-MTI")};
    const Read read = readers[std::to_underlying(direction)][first.tp_mti()];
    if (read == nullptr) {
        reader.fail(PduErrc::reserved_mti, at, "TP-MTI");
    } else {
        read(reader, first, decoded.tpdu);
    }
    if (reader.failed()) {
        return std::unexpected(reader.error());
    }
    decoded.trailing = reader.rest();
    return decoded;
}

}  // namespace

PduResult<DecodedPdu> decode_pdu(Octets pdu, Direction direction) {
    Reader reader(pdu);
    DecodedPdu decoded;
    decoded.service_centre = read_service_centre(reader);
    return decode_rest(reader, decoded, direction);
}

PduResult<DecodedPdu> decode_tpdu(Octets tpdu, Direction direction) {
    Reader reader(tpdu);
    DecodedPdu decoded;
    return decode_rest(reader, decoded, direction);
}

}  // namespace smsrack::pdu
