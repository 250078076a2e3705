#include "src/codec/inbound.hpp"

#include "src/base/hash.hpp"
#include "src/pdu/decode.hpp"

#include <optional>
#include <utility>

namespace smsrack::codec {
namespace {

std::optional<WallTime> wall_of(const pdu::Timestamp& timestamp) {
    return timestamp.time ? std::optional(timestamp.time->wall()) : std::nullopt;
}

InboundSegment empty_segment(const Arrival& arrival) {
    return {.modem = arrival.modem,
            .sim = arrival.sim,
            .from = {},
            .kind = InboundKind::undecodable,
            .payload = {},
            .raw = {},
            .received_at = arrival.at};
}

InboundSegment segment_of(const pdu::SmsDeliver& deliver, const Arrival& arrival) {
    InboundSegment segment = empty_segment(arrival);
    segment.from = deliver.originator.display();
    segment.scts = wall_of(deliver.scts);
    if (deliver.scts.time) {
        segment.scts_text = deliver.scts.time->rfc3339().view();
    }
    const pdu::UserData& data = deliver.user_data;
    segment.message_class = data.dcs.message_class;
    if (data.udh) {
        segment.concat = data.udh->concat;
    }
    if (!data.dcs.is_text()) {
        segment.kind = InboundKind::data;
        segment.payload = pdu::characters_of(data.payload);
    } else if (data.dcs.alphabet == pdu::Alphabet::ucs2) {
        segment.kind = InboundKind::ucs2;
        segment.payload = pdu::characters_of(data.payload);
    } else {
        segment.kind = InboundKind::gsm7;
        segment.payload = data.text();
    }
    return segment;
}

StatusReport report_of(const pdu::SmsStatusReport& report, const Arrival& arrival) {
    return {.modem = arrival.modem,
            .sim = arrival.sim,
            .tp_mr = report.tp_mr,
            .recipient = report.recipient.display(),
            .scts = wall_of(report.scts),
            .discharge = wall_of(report.discharge),
            .tp_status = report.tp_st,
            .raw = {},
            .received_at = arrival.at};
}

/// Of the SIM and all octets: the same PDU read twice is one.
std::array<std::uint8_t, 16> fingerprint_of(std::string_view pdu, SimId sim) {
    std::string octets = std::to_string(sim.value) + ':';
    octets += pdu;
    return hash128(octets);
}

}  // namespace

std::variant<InboundSegment, StatusReport> read_inbound(std::string_view pdu,
                                                        const Arrival& arrival) {
    const auto fingerprint = fingerprint_of(pdu, arrival.sim);
    const auto decoded = pdu::decode_pdu(pdu::octets_of(pdu), pdu::Direction::to_mobile);
    if (decoded) {
        if (const auto* report = std::get_if<pdu::SmsStatusReport>(&decoded->tpdu)) {
            StatusReport kept = report_of(*report, arrival);
            kept.raw = pdu;
            kept.fingerprint = fingerprint;
            return kept;
        }
    }
    const auto* deliver = decoded ? std::get_if<pdu::SmsDeliver>(&decoded->tpdu) : nullptr;
    InboundSegment segment =
        deliver != nullptr ? segment_of(*deliver, arrival) : empty_segment(arrival);
    segment.raw = pdu;
    segment.fingerprint = fingerprint;
    if (deliver == nullptr) {
        segment.payload = pdu;
    }
    return segment;
}

}  // namespace smsrack::codec
