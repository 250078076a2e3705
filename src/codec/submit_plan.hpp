/// What a message asks of the segmenter: the one place where a MessageBody becomes a SegmentRequest.
///
/// National language tables are not used by themselves: phones and centres that lack them show wrong letters.
#pragma once

#include "src/pdu/segmenter.hpp"
#include "src/sms/message.hpp"

namespace smsrack::codec {

/// The views live as long as `body`.
[[nodiscard]] inline pdu::SegmentRequest segment_request(const MessageBody& body) {
    pdu::SegmentRequest request{.content = body.is_data ? body.data : body.text,
                                .is_data = body.is_data};
    if (body.ports) {
        request.ports = pdu::Ports{.dst = body.ports->dst, .src = body.ports->src, .bits = 16};
    }
    return request;
}

}  // namespace smsrack::codec
