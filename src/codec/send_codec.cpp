#include "src/codec/send_codec.hpp"

#include "src/pdu/message_pdus.hpp"
#include "src/pdu/sms_submit.hpp"

#include <algorithm>
#include <chrono>

namespace smsrack::codec {

SendCodec::SendCodec(SendCodecSettings settings, const Clock& clock, Random& random)
    : settings_(settings), clock_(clock), next_ref_(static_cast<std::uint16_t>(random.next())) {}

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
    if (message.body.part && plan->segments > 1) {
        return fail(Errc::too_long, "a part of a longer message needs more than one segment");
    }
    if ((plan->segments > 1 || message.body.part) && !message.concat_ref) {
        // The 8-bit element, one octet shorter than the 16-bit one.
        constexpr std::uint16_t ref_mask = 0xFF;
        message.concat_ref = next_ref_.fetch_add(1, std::memory_order_relaxed) & ref_mask;
    }
    const pdu::SubmitHead head{.destination = *destination,
                               .tp_pid = message.body.pid,
                               .tp_dcs = pdu::make_dcs(plan->alphabet, message.body.message_class),
                               .vp = validity(message),
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
    const pdu::ValidityPeriod period = validity(slot.message);
    for (std::string& pdu : slot.pdus) {
        pdu::set_validity(pdu, period);
    }
}

pdu::ValidityPeriod SendCodec::validity(const OutMessage& message) const {
    if (message.without_validity) {
        return {};
    }
    constexpr std::chrono::seconds least(1);  // none left: the message expires here, not there
    const auto left = std::max(
        std::chrono::floor<std::chrono::seconds>(message.expires_at - clock_.wall()), least);
    if (settings_.short_validity && left < pdu::relative_duration(0)) {
        return pdu::enhanced_period(left);
    }
    return pdu::relative_period(pdu::relative_validity(left));
}

}  // namespace smsrack::codec
