// A stream of SMPP: PDUs out of any octets, their texts, and the octets again.
#include "src/base/check.hpp"
#include "src/smpp/coding.hpp"
#include "src/smpp/pdu.hpp"
#include "src/wire/json.hpp"
#include "tests/fuzz/input.hpp"
#include "tools/pdu_json/smpp_json.hpp"

#include <array>

namespace smsrack::fuzz {
namespace {

void check_pdu(const smpp::Pdu& pdu) {
    const std::string octets = smpp::encode(pdu);
    SMSRACK_CHECK(octets.size() <= smpp::frame_max);
    const auto again = smpp::decode(octets);
    SMSRACK_CHECK(again && *again == pdu);
    std::string text;
    tools::append_smpp(text, pdu, smpp::Coding::gsm7);
    SMSRACK_CHECK(wire::parse_json(text).has_value());
}

void check_texts(std::string_view octets) {
    using smpp::Coding;
    for (const Coding coding :
         std::array{Coding::gsm7, Coding::ascii, Coding::latin1, Coding::utf16, Coding::utf8}) {
        const auto text = smpp::text_of(octets, coding);
        SMSRACK_CHECK(!text || is_utf8(*text));
    }
}

}  // namespace

int fuzz_smpp(Octets input) {
    smpp::Frames frames;
    constexpr std::size_t piece = 100;
    std::string_view stream = text_of(input);
    check_texts(stream);
    while (!stream.empty()) {
        frames.add(stream.substr(0, piece));
        stream.remove_prefix(std::min(piece, stream.size()));
        for (;;) {
            const auto frame = frames.next();
            if (!frame) {
                return 0;
            }
            if (!*frame) {
                break;
            }
            if (const auto pdu = smpp::decode(**frame)) {
                check_pdu(*pdu);
            } else {
                SMSRACK_CHECK(!smpp::status_name(pdu.error().status).empty());
                SMSRACK_CHECK(pdu.error().offset <= (*frame)->size());
            }
        }
    }
    return 0;
}

}  // namespace smsrack::fuzz
