/// Encodes a text or data in segments, and decodes it again from their PDUs.
#pragma once

#include "src/pdu/alphabet/utf8.hpp"
#include "src/pdu/decode.hpp"
#include "src/pdu/segmenter.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace smsrack::pdu {

struct Said {
    SegmentPlan plan = {};
    std::vector<std::string> pdus = {};
};

inline PduResult<Said> say(const SegmentRequest& request, std::uint16_t ref = 7) {
    const auto plan = plan_segments(request);
    if (!plan) {
        return std::unexpected(plan.error());
    }
    Said said{.plan = *plan};
    const SubmitHead head{.destination = *make_address({.number = "123"}, "to"),
                          .tp_dcs = make_dcs(plan->alphabet, std::nullopt)};
    SegmentWriter writer(request, *plan, ref);
    SegmentData segment;
    for (unsigned i = 0; i < plan->segments; ++i) {
        writer.next(segment);
        said.pdus.push_back(make_sms_submit(head, 0, segment));
    }
    return said;
}

/// Decodes the segments and puts the content together; checks what must hold of each.
inline std::string heard(const Said& said) {
    std::string content;
    for (std::size_t i = 0; i < said.pdus.size(); ++i) {
        CAPTURE(i);
        const auto decoded = decode_pdu(octets_of(said.pdus[i]), Direction::from_mobile);
        REQUIRE(decoded.has_value());
        CHECK(decoded->trailing.empty());
        const UserData& data = std::get<SmsSubmit>(decoded->tpdu).user_data;
        REQUIRE(data.octets.size() <= user_data_octets_max);
        const bool concat = data.udh && data.udh->concat;
        REQUIRE(concat == (said.pdus.size() > 1));
        if (concat) {
            CHECK(data.udh->concat->seq == i + 1);
            CHECK(data.udh->concat->total == said.pdus.size());
        }
        if (said.plan.alphabet == Alphabet::data8) {
            content += characters_of(data.payload);
        } else {
            content += data.text();  // half a pair would show: as U+FFFD, or as a space
        }
    }
    return content;
}

inline std::string utf8_of(char32_t character) {
    std::array<char, 4> room{};
    return {room.data(), static_cast<std::size_t>(put_utf8(room.data(), character) - room.data())};
}

inline std::string repeated(const std::string& text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

}  // namespace smsrack::pdu
