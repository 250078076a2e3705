#include "src/pdu/reassembler.hpp"

#include "src/pdu/alphabet/ucs2.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::pdu {
namespace {

bool is_data(const InboundSegment& segment) {
    return segment.kind == InboundKind::data || segment.kind == InboundKind::undecodable;
}

}  // namespace

InboundText join_segments(std::span<const InboundSegment> segments) {
    InboundText joined;
    joined.is_data = std::ranges::any_of(segments, is_data);
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

}  // namespace smsrack::pdu
