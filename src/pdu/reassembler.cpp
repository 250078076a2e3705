#include "src/pdu/reassembler.hpp"

#include "src/pdu/ucs2.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::pdu {
namespace {

bool is_data(const InboundSegment& segment) {
    return segment.kind == InboundKind::data || segment.kind == InboundKind::undecodable;
}

std::optional<WallTime> wall_of(const Timestamp& stamp) {
    return stamp.time ? std::optional(stamp.time->wall()) : std::nullopt;
}

InboundKind kind_of(const Dcs& dcs) {
    if (!dcs.is_text()) {
        return InboundKind::data;
    }
    return dcs.alphabet == Alphabet::ucs2 ? InboundKind::ucs2 : InboundKind::gsm7;
}

}  // namespace

InboundText join_segments(std::span<const InboundSegment> segments) {
    InboundText joined;
    joined.is_data = std::any_of(segments.begin(), segments.end(), is_data);
    if (joined.is_data) {
        for (const InboundSegment& segment : segments) {
            joined.data += segment.payload;
        }
        return joined;
    }
    std::string units;  // of a run of UCS-2 segments
    for (const InboundSegment& segment : segments) {
        if (segment.kind == InboundKind::ucs2) {
            units += segment.payload;
        } else {
            joined.text += ucs2_text(octets_of(std::exchange(units, {})));
            joined.text += segment.payload;
        }
    }
    joined.text += ucs2_text(octets_of(units));
    return joined;
}

void describe(const SmsDeliver& deliver, InboundSegment& segment) {
    const UserData& data = deliver.user_data;
    segment.from = deliver.originator.display();
    segment.scts = wall_of(deliver.scts);
    segment.scts_text =
        deliver.scts.time ? std::string(deliver.scts.time->rfc3339().view()) : std::string();
    segment.kind = kind_of(data.dcs);
    segment.payload =
        segment.kind == InboundKind::gsm7 ? data.text() : std::string(characters_of(data.payload));
    segment.concat = data.udh ? data.udh->concat : std::nullopt;
    segment.message_class = data.dcs.message_class;
}

void describe(const SmsStatusReport& record, StatusReport& report) {
    report.tp_mr = record.tp_mr;
    report.recipient = record.recipient.display();
    report.scts = wall_of(record.scts);
    report.discharge = wall_of(record.discharge);
    report.tp_status = record.tp_st;
}

}  // namespace smsrack::pdu
