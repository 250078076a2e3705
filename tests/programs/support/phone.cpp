#include "tests/programs/support/phone.hpp"

#include "src/pdu/decode.hpp"
#include "tools/modem_model/sms/hex.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>
#include <variant>

namespace smsrack::test {

std::multiset<std::string> on_the_phone(const Rack& rack, const std::string& number) {
    std::multiset<std::string> texts;
    std::map<std::pair<int, int>, std::map<int, std::string>> messages;
    for (const auto& submit : rack.submits_to(number)) {
        const auto octets = modem_sim::from_hex(submit.pdu);
        REQUIRE(octets);
        const auto decoded = pdu::decode_pdu(pdu::octets_of(*octets), pdu::Direction::from_mobile);
        REQUIRE(decoded);
        const auto& data = std::get<pdu::SmsSubmit>(decoded->tpdu).user_data;
        if (!data.udh || !data.udh->concat) {
            texts.insert(data.text());
            continue;
        }
        messages[{data.udh->concat->ref, data.udh->concat->total}][data.udh->concat->seq] =
            data.text();
    }
    for (const auto& [key, parts] : messages) {
        std::string text;
        for (const auto& [seq, piece] : parts) {
            text += piece;
        }
        texts.insert(text);
    }
    return texts;
}

}  // namespace smsrack::test
