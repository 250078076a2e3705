// A text is said in segments and heard again, whatever it is and however it is wished.
#include "src/base/check.hpp"
#include "src/pdu/decode.hpp"
#include "src/pdu/segmenter.hpp"
#include "tests/fuzz/input.hpp"

#include <string>

namespace smsrack::fuzz {
namespace {

/// Octets of all UTF-16 in front: joined behind the cuts, as a phone does it.
std::string heard(const std::vector<std::string>& pdus, const pdu::SegmentPlan& plan) {
    std::string content;
    for (std::size_t i = 0; i < pdus.size(); ++i) {
        const auto decoded = decode_pdu(pdu::octets_of(pdus[i]), pdu::Direction::from_mobile);
        SMSRACK_CHECK(decoded && decoded->trailing.empty());
        const pdu::UserData& data = std::get<pdu::SmsSubmit>(decoded->tpdu).user_data;
        SMSRACK_CHECK(data.octets.size() <= pdu::user_data_octets_max);
        const bool concat = data.udh && data.udh->concat;
        SMSRACK_CHECK(concat == (pdus.size() > 1));
        SMSRACK_CHECK(!concat ||
                      (data.udh->concat->seq == i + 1 && data.udh->concat->total == pdus.size()));
        content += plan.alphabet == pdu::Alphabet::data8
                       ? std::string(pdu::characters_of(data.payload))
                       : data.text();
    }
    return content;
}

void check_fault(const pdu::PduError& error, const pdu::SegmentRequest& request) {
    switch (error.code) {
        case pdu::PduErrc::bad_utf8:
            SMSRACK_CHECK(!request.is_data && !is_utf8(request.content));
            break;
        case pdu::PduErrc::unencodable:
            SMSRACK_CHECK(request.alphabet == pdu::AlphabetWish::gsm7 && !request.is_data);
            break;
        default:
            SMSRACK_CHECK(error.code == pdu::PduErrc::too_long);
            SMSRACK_CHECK(request.content.size() > pdu::segments_max * 60);
            break;
    }
}

void check(const pdu::SegmentRequest& request) {
    const auto plan = pdu::plan_segments(request);
    if (!plan) {
        return check_fault(plan.error(), request);
    }
    SMSRACK_CHECK(request.is_data || is_utf8(request.content));
    SMSRACK_CHECK(plan->segments == 1 || plan->units > plan->units_per_segment);
    const pdu::SubmitHead head{.destination = *pdu::make_address({.number = "123"}, "to"),
                               .tp_dcs = pdu::make_dcs(plan->alphabet, std::nullopt)};
    pdu::SegmentWriter writer(request, *plan, 0x1234);
    pdu::SegmentData segment;
    std::vector<std::string> pdus;
    for (unsigned i = 0; i < plan->segments; ++i) {
        writer.next(segment);
        pdus.push_back(pdu::make_sms_submit(head, 0, segment));
    }
    SMSRACK_CHECK(heard(pdus, *plan) == request.content);
}

}  // namespace

int fuzz_segments(Octets input) {
    using enum pdu::AlphabetWish;
    const std::string_view content = text_of(input);
    for (const pdu::AlphabetWish alphabet : {cheapest, gsm7, ucs2}) {
        for (const pdu::LanguageWish language :
             {pdu::LanguageWish::fixed, pdu::LanguageWish::cheapest}) {
            check({.content = content, .alphabet = alphabet, .language = language});
        }
    }
    check({.content = content, .ref_bits = 16, .ports = pdu::Ports{.dst = 5505, .src = 1}});
    check({.content = content, .ports = pdu::Ports{.dst = 240, .src = 1, .bits = 8}});
    check({.content = content, .is_data = true});
    return 0;
}

}  // namespace smsrack::fuzz
