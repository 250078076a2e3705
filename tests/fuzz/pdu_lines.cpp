// `smsrack pdu encode` and `decode`: what was encoded decodes, to the text that was asked for; every answer is a line of JSON.
#include "src/base/check.hpp"
#include "src/wire/json.hpp"
#include "tests/fuzz/input.hpp"
#include "tools/pdu_json/line_codec.hpp"

#include <string>

namespace smsrack::fuzz {
namespace {

using wire::Json;

Json answer_of(const std::string& out, bool good) {
    SMSRACK_CHECK(out.ends_with('\n') && out.find('\n') + 1 == out.size());
    auto json = wire::parse_json(out);
    SMSRACK_CHECK(json && json->is_object());
    SMSRACK_CHECK(json->contains("error") != good);
    return *std::move(json);
}

/// The text of its segments, decoded.
std::string decoded_text(const Json& encoded) {
    tools::DecodeLines decoder({.direction = pdu::Direction::from_mobile});
    std::string text;
    for (const Json& segment : encoded.at("segments")) {
        std::string out;
        const bool good = decoder.work(segment.at("pdu").get<std::string>(), out);
        SMSRACK_CHECK(good);
        const Json record = answer_of(out, good);
        SMSRACK_CHECK(record.at("type") == "SMS-SUBMIT");
        SMSRACK_CHECK(record.at("tpdu_length") == segment.at("tpdu_length"));
        SMSRACK_CHECK(!record.contains("trailing"));
        if (record.contains("text")) {
            text += record.at("text").get<std::string>();
        }
    }
    return text;
}

}  // namespace

int fuzz_pdu_lines(Octets input) {
    tools::EncodeLines encoder;
    for (const std::string_view line : lines_of(text_of(input))) {
        for (const auto direction :
             {pdu::Direction::to_mobile, pdu::Direction::from_mobile, pdu::Direction::stored}) {
            tools::DecodeLines decoder({.direction = direction});
            std::string decoded;
            const bool good = decoder.work(line, decoded);
            (void)answer_of(decoded, good);
        }
        std::string out;
        const bool good = encoder.work(line, out);
        const Json encoded = answer_of(out, good);
        if (!good) {
            continue;
        }
        const auto request = wire::parse_json(line);
        SMSRACK_CHECK(request && request->is_object());
        const std::string text = decoded_text(encoded);
        if (request->contains("text") && !request->contains("dcs")) {
            SMSRACK_CHECK(text == request->at("text").get<std::string>());
        }
    }
    return 0;
}

}  // namespace smsrack::fuzz
