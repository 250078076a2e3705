// Two programs cut long messages themselves, with the same key to the same number and one SIM.
#include "src/pdu/decode.hpp"
#include "tests/support/rack.hpp"
#include "tools/modem_model/sms/hex.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace smsrack::test {
namespace {

const std::string number = "+33600000030";

std::string text_of(const std::string& client, int part) {
    return client + " wrote piece " + std::to_string(part) + ". ";
}

/// What a phone shows of the PDUs that the network got: by reference and number of parts.
std::multiset<std::string> on_the_phone(const Rack& rack) {
    std::map<std::pair<int, int>, std::map<int, std::string>> messages;
    for (const auto& submit : rack.submits_to(number)) {
        const auto octets = modem_sim::from_hex(submit.pdu);
        REQUIRE(octets);
        const auto decoded = pdu::decode_pdu(pdu::octets_of(*octets), pdu::Direction::from_mobile);
        REQUIRE(decoded);
        const auto& data = std::get<pdu::SmsSubmit>(decoded->tpdu).user_data;
        REQUIRE(data.udh);
        REQUIRE(data.udh->concat);
        messages[{data.udh->concat->ref, data.udh->concat->total}][data.udh->concat->seq] =
            data.text();
    }
    std::multiset<std::string> texts;
    for (const auto& [key, parts] : messages) {
        std::string text;
        for (const auto& [seq, piece] : parts) {
            text += piece;
        }
        texts.insert(text);
    }
    return texts;
}

}  // namespace

TEST_CASE("parts of two clients with one key reach the phone as two messages, also over a kill") {
    Rack rack({.modems = 1});
    std::vector<std::string> ids;
    const auto submit = [&](int part) {
        for (const char* client : {"anna", "bert"}) {
            ids.push_back(rack.submit({{"to", number},
                                       {"text", text_of(client, part)},
                                       {"client", client},
                                       {"concat", {{"key", "7"}, {"of", 3}, {"part", part}}}}));
        }
    };
    submit(2);
    submit(3);
    rack.kill_service();
    rack.start_service();
    CHECK(rack.submits_to(number).empty());
    submit(1);
    for (const std::string& id : ids) {
        REQUIRE(rack.reaches(id, "delivered"));
    }
    std::multiset<std::string> whole;
    for (const char* client : {"anna", "bert"}) {
        whole.insert(text_of(client, 1) + text_of(client, 2) + text_of(client, 3));
    }
    CHECK(on_the_phone(rack) == whole);
}

}  // namespace smsrack::test
