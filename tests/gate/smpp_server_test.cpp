// The SMPP server of the gate, and a service that answers when the test says so.
#include "tests/gate/support/smpp_talk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using smpp::Command;
using smpp::Status;
using test::delivered;
using test::hand_in;
using test::hand_in_seven;
using test::hello;
using test::patience;
using test::soon;

TEST_CASE("smpp server: a receipt that the service has first comes after the answer") {
    test::SmppGate rig;
    rig::Esme esme = rig.bound();
    REQUIRE(test::wait_for(patience, [&] { return rig.service.is_heard(); }));
    const auto sequence = hand_in(rig, esme);
    rig.service.tell(5, delivered(rig.service.lines().back(), "7"));
    CHECK_FALSE(esme.read(soon));
    rig.service.answer(R"({"id":"7","state":"queued","segments":1})");
    test::read_answer_then_receipt(esme, Command::submit_sm_resp, sequence);
}

TEST_CASE("smpp server: an event is acknowledged when its receipt is taken, and not before") {
    test::SmppGate rig;
    rig::Esme esme = rig.bound();
    hand_in_seven(rig, esme);
    rig.service.tell(5, delivered(rig.service.lines().back(), "7"));
    const auto receipt = esme.read(patience);
    REQUIRE(receipt);
    const auto is_acknowledged = [&] {
        const auto all = rig.service.acknowledged();
        return std::ranges::find(all, 5) != all.end();
    };
    CHECK_FALSE(test::wait_for(soon, is_acknowledged));
    esme.answer(receipt->header);
    esme.flush();
    CHECK(test::wait_for(patience, is_acknowledged));
}

TEST_CASE("smpp server: what the service has not answered is asked again, as the same request") {
    test::SmppGate rig;
    rig::Esme esme = rig.bound();
    const auto first = hand_in(rig, esme);
    rig.service.stop();
    const auto second = esme.send(Command::submit_sm, hello());
    esme.flush();
    CHECK_FALSE(esme.read(soon));
    rig.service.start();
    REQUIRE(test::wait_for(patience, [&] { return rig.service.lines().size() == 3; }));
    const auto lines = rig.service.lines();
    CHECK(lines[1] == lines[0]);
    CHECK(lines[2] != lines[0]);  // the same text, and another message
    rig.service.answer(R"({"id":"7","state":"queued","segments":1})");
    rig.service.answer(R"({"id":"8","state":"queued","segments":1})");
    const auto id_of = [&](std::uint32_t sequence) {
        const auto answer = esme.answer_to(sequence, patience);
        REQUIRE(answer);
        return std::get<smpp::MessageAnswer>(answer->body).message_id;
    };
    CHECK(id_of(first) == "7");
    CHECK(id_of(second) == "8");
    CHECK(esme.is_open());
}

TEST_CASE("smpp server: each refusal of the service has its command status") {
    test::SmppGate rig;
    rig::Esme esme = rig.bound();
    struct Case {
        std::string code;
        Status status;
    };
    for (const Case& c :
         {Case{"bad_sender", Status::invalid_source},
          Case{"bad_number", Status::invalid_destination}, Case{"overloaded", Status::throttled},
          Case{"queue_full", Status::queue_full}, Case{"forbidden", Status::submit_failed},
          Case{"too_long", Status::invalid_message_length}, Case{"storage", Status::system_error},
          Case{"a code of a later version", Status::system_error}}) {
        CAPTURE(c.code);
        const auto sequence = hand_in(rig, esme);
        rig.service.answer(R"({"error":{"code":")" + c.code + R"(","detail":"why"}})");
        const auto answer = esme.answer_to(sequence, patience);
        REQUIRE(answer);
        CHECK(answer->header.status == c.status);
    }
}

TEST_CASE("smpp server: the longest received message arrives, in two messages") {
    test::SmppGate rig("mo=all");
    rig::Esme esme = rig.bound();
    REQUIRE(test::wait_for(patience, [&] { return rig.service.is_heard(); }));
    std::string text;
    for (int i = 0; i < 255 * 153; ++i) {
        text += "漢";
    }
    rig.service.tell(5, {{"type", "message.received"},
                         {"id", "9"},
                         {"from", "+33612345678"},
                         {"to", nullptr},
                         {"text", text}});
    std::size_t octets = 0;
    while (octets < 2 * 255 * 153) {
        const auto got = esme.read(patience);
        REQUIRE(got);
        REQUIRE(got->header.command == Command::deliver_sm);
        const auto* const payload =
            find(std::get<smpp::Message>(got->body).tlvs, smpp::Tag::message_payload);
        REQUIRE(payload != nullptr);
        octets += payload->octets.size();
        esme.answer(got->header);
    }
    CHECK(octets == 2 * 255 * 153);
}

TEST_CASE("smpp server: what a rule refuses is logged, with the account and the rule") {
    test::SmppGate rig;
    rig::Esme esme = rig.bound();
    const auto sequence = hand_in(rig, esme);
    rig.service.answer(R"({"error":{"code":"forbidden","detail":"rule premium"}})");
    REQUIRE(esme.answer_to(sequence, patience));
    CHECK(rig.logged("smpp_submit_refused") == 1);
}

TEST_CASE("smpp server: of another database nothing of the old one is delivered or acknowledged") {
    test::SmppGate rig;
    rig::Esme esme = rig.bound();
    hand_in_seven(rig, esme);
    const std::string line = rig.service.lines().back();
    rig.service.tell(500, delivered(line, "7"));
    const auto put_off = esme.read(patience);
    REQUIRE(put_off);
    esme.answer(put_off->header, Status::throttled);  // for a second
    esme.flush();
    rig.service.stop();
    rig.service.set_newest(3);
    rig.service.start();
    REQUIRE(test::wait_for(patience, [&] { return rig.service.is_heard(); }));
    rig.service.tell(4, delivered(line, "8"));
    const auto receipt = esme.read(patience);
    REQUIRE(receipt);
    CHECK(find(std::get<smpp::Message>(receipt->body).tlvs, smpp::Tag::receipted_message_id)
              ->text() == "8");
    esme.answer(receipt->header);
    CHECK_FALSE(esme.read(2s));
    CHECK(test::wait_for(patience, [&] {
        const auto all = rig.service.acknowledged();
        return !all.empty() && all.back() == 4;
    }));
}

TEST_CASE("smpp server: a password that changes while it is checked does not bind") {
    test::SmppGate rig;
    std::vector<rig::Esme> others;  // whose checks come first
    for (int i = 0; i < 20; ++i) {
        rig::Esme& other = others.emplace_back(rig.port());
        (void)other.send(Command::bind_transceiver,
                         smpp::Bind{.system_id = "shop", .password = "wrong"});
        other.flush();
    }
    rig::Esme esme(rig.port());
    const auto sequence = esme.send(Command::bind_transceiver,
                                    smpp::Bind{.system_id = "shop", .password = "secret12"});
    esme.flush();
    rig.set_password("another1");
    const auto answer = esme.answer_to(sequence, patience);
    REQUIRE(answer);
    CHECK(answer->header.status == Status::bind_failed);
}
