#include "src/pdu/message_pdus.hpp"

#include <utility>

namespace smsrack::pdu {
SegmentRequest segment_request(const MessageBody& body) {
    SegmentRequest request{.content = body.is_data ? body.data : body.text,
                           .is_data = body.is_data,
                           .elements = octets_of(body.elements),
                           .part = body.part};
    if (body.ports) {
        request.ports = Ports{.dst = body.ports->dst, .src = body.ports->src, .bits = 16};
    }
    return request;
}

Result<std::vector<std::string>> encode_message(const MessageBody& body,
                                                const MessageOptions& options) {
    const SegmentRequest request = segment_request(body);
    const auto plan = plan_segments(request);
    if (!plan) {
        return std::unexpected(to_error(plan.error(), true));
    }
    auto destination = make_address(plain_number(body.to), "TP-DA");
    if (!destination) {
        return std::unexpected(to_error(destination.error(), true));
    }
    SubmitHead head{.destination = *destination,
                    .tp_pid = body.pid,
                    .tp_dcs = make_dcs(plan->alphabet, body.message_class),
                    .status_report = body.report};
    if (options.valid_for) {
        head.vp = relative_period(relative_validity(*options.valid_for));
    }
    std::vector<std::string> pdus;
    pdus.reserve(plan->segments);
    SegmentWriter writer(request, *plan, options.concat_ref);
    SegmentData segment;
    for (std::size_t i = 0; i < plan->segments; ++i) {
        writer.next(segment);
        pdus.push_back(make_sms_submit(head, 0, segment));
    }
    return pdus;
}

}  // namespace smsrack::pdu
