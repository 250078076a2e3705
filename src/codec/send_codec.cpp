#include "src/codec/send_codec.hpp"

#include "src/pdu/message_pdus.hpp"
#include "src/pdu/sms_submit.hpp"
#include "src/pdu/validity_period.hpp"

#include <chrono>

namespace smsrack::codec {

SendCodec::SendCodec(const Clock& clock, Random& random)
    : clock_(clock), next_ref_(static_cast<std::uint16_t>(random.next())) {}

Result<> SendCodec::encode(queue::OutSlot& slot) {
    OutMessage& message = slot.message;
    const pdu::SegmentRequest request = pdu::segment_request(message.body);
    const auto plan = pdu::plan_segments(request);
    if (!plan) {
        return std::unexpected(pdu::to_error(plan.error(), true));
    }
    auto destination = pdu::make_address(pdu::plain_number(message.body.to), "TP-DA");
    if (!destination) {
        return std::unexpected(pdu::to_error(destination.error(), true));
    }
    if (plan->segments > 1 && !message.concat_ref) {
        constexpr std::uint16_t ref_mask =
            0xFF;  // the 8-bit element, one octet shorter than the 16-bit one
        message.concat_ref = next_ref_.fetch_add(1, std::memory_order_relaxed) & ref_mask;
    }
    const pdu::SubmitHead head{.destination = *destination,
                               .tp_dcs = pdu::make_dcs(plan->alphabet, message.body.message_class),
                               .vp = pdu::relative_period(validity(message)),
                               .status_report = message.body.report};
    slot.encoded_at = clock_.wall();
    pdu::SegmentWriter writer(request, *plan, message.concat_ref.value_or(0));
    slot.pdus.clear();
    pdu::SegmentData segment;
    for (std::size_t i = 0; i < plan->segments; ++i) {
        writer.next(segment);
        slot.pdus.push_back(pdu::make_sms_submit(head, 0, segment));  // TP-MR is the modem's
    }
    return {};
}

void SendCodec::refresh_validity(queue::OutSlot& slot) const {
    slot.encoded_at = clock_.wall();
    const std::uint8_t value = validity(slot.message);
    for (std::string& pdu : slot.pdus) {
        pdu::set_relative_validity(pdu, value);
    }
}

std::uint8_t SendCodec::validity(const OutMessage& message) const {
    const auto left =
        std::chrono::duration_cast<std::chrono::seconds>(message.expires_at - clock_.wall());
    return pdu::relative_validity(std::max(left, std::chrono::seconds(0)));
}

}  // namespace smsrack::codec
