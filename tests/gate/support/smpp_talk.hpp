/// What tests of the SMPP server say again and again: a message, and the end that it has.
#pragma once

#include "src/smpp/pdu/message.hpp"
#include "tests/gate/support/smpp_gate.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace smsrack::test {

/// In which what must not come does not come.
inline constexpr std::chrono::milliseconds soon{300};
inline constexpr std::chrono::seconds patience{20};

inline smpp::Message hello() {
    return {.source = {.ton = 5, .npi = 0, .text = "Bank"},
            .destination = {.ton = 1, .npi = 1, .text = "33612345678"},
            .registered_delivery = 1,
            .short_message = "Hello"};
}

/// Hands in one, which the service has then; the number of its PDU.
inline std::uint32_t hand_in(SmppGate& rig, rig::Esme& esme) {
    const std::size_t before = rig.service.lines().size();
    const auto sequence = esme.send(smpp::Command::submit_sm, hello());
    esme.flush();
    REQUIRE(wait_for(patience, [&] { return rig.service.lines().size() == before + 1; }));
    return sequence;
}

/// One that the service has accepted as 7, and hears of from now on.
inline void hand_in_seven(SmppGate& rig, rig::Esme& esme) {
    REQUIRE(wait_for(patience, [&] { return rig.service.is_heard(); }));
    (void)hand_in(rig, esme);
    rig.service.answer(R"({"id":"7","state":"queued","segments":1})");
    REQUIRE(esme.read(patience));
}

/// The next two that come are the answer to this submit, and a receipt.
inline void read_answer_then_receipt(rig::Esme& esme, smpp::Command answer_is,
                                     std::uint32_t sequence) {
    const auto answer = esme.read(patience);
    REQUIRE(answer);
    CHECK(answer->header.command == answer_is);
    CHECK(answer->header.sequence == sequence);
    const auto receipt = esme.read(patience);
    REQUIRE(receipt);
    CHECK(receipt->header.command == smpp::Command::deliver_sm);
}

/// The end of the message of this line.
inline wire::Json delivered(const std::string& line, const std::string& id) {
    return {{"type", "message.delivered"},
            {"at", "2026-11-27T12:00:00.000Z"},
            {"id", id},
            {"state", "delivered"},
            {"code", nullptr},
            {"note", wire::parse_json(line).value().at("note")}};
}

}  // namespace smsrack::test
