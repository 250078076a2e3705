// What an account and the server may have, and what a changed file changes for those that are bound.
#include "tests/gate/support/smpp_talk.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
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

namespace {

constexpr const char* seven = R"({"id":"7","state":"queued","segments":1})";

smpp::Pdu answer_to(rig::Esme& esme, std::uint32_t sequence) {
    const auto answer = esme.answer_to(sequence, patience);
    REQUIRE(answer);
    return *answer;
}

/// "7" of a receipt.
std::string id_of(const smpp::Pdu& receipt) {
    REQUIRE(receipt.header.command == Command::deliver_sm);
    return std::string(
        find(std::get<smpp::Message>(receipt.body).tlvs, smpp::Tag::receipted_message_id)->text());
}

smpp::Status status_of_bind(const test::SmppGate& rig, const std::string& password) {
    rig::Esme esme(rig.port());
    const auto status = esme.bind("shop", password);
    CAPTURE(password);
    CAPTURE(esme.is_open());
    REQUIRE(status);
    return *status;
}

}  // namespace

TEST_CASE("smpp server: versions 3.3, 3.4 and 5.0 bind, and the answer has ours") {
    test::SmppGate rig;
    for (const std::uint8_t version : std::initializer_list<std::uint8_t>{0x33, 0x34, 0x50}) {
        CAPTURE(version);
        rig::Esme esme(rig.port());
        const auto answer = answer_to(
            esme, esme.send(Command::bind_transceiver, smpp::Bind{.system_id = "shop",
                                                                  .password = "secret12",
                                                                  .interface_version = version}));
        CHECK(answer.header.status == Status::ok);
        const auto* const ours =
            find(std::get<smpp::BindAnswer>(answer.body).tlvs, smpp::Tag::sc_interface_version);
        REQUIRE(ours != nullptr);
        CHECK(ours->number() == 0x34);
    }
}

TEST_CASE("smpp server: all accounts together have [smpp] sessions") {
    test::SmppGate rig("sessions=10", {.sessions = 2});
    std::vector<rig::Esme> esmes;
    esmes.push_back(rig.bound());
    esmes.push_back(rig.bound());
    CHECK(status_of_bind(rig, "secret12") == Status::bind_failed);
    CHECK(rig.logged("smpp_bind_refused") == 1);
    esmes.pop_back();
    CHECK(test::wait_for(patience, [&] { return status_of_bind(rig, "secret12") == Status::ok; }));
}

TEST_CASE("smpp server: a password that is remembered is forgotten with its hash") {
    test::SmppGate rig;
    rig::Esme esme = rig.bound();
    CHECK(status_of_bind(rig, "secret12") == Status::ok);  // remembered
    rig.set_password("another1");
    const auto bye = esme.read(patience);  // now the gate has read the file
    REQUIRE(bye);
    CHECK(bye->header.command == Command::unbind);
    CHECK(status_of_bind(rig, "secret12") == Status::bind_failed);
    CHECK(status_of_bind(rig, "another1") == Status::ok);
    CHECK(status_of_bind(rig, "another1") == Status::ok);
    CHECK(status_of_bind(rig, "secret12") == Status::bind_failed);
}

TEST_CASE("smpp server: changed options hold for the sessions that are bound") {
    test::SmppGate rig("window=5");
    rig::Esme esme = rig.bound();
    (void)hand_in(rig, esme);
    CHECK_FALSE(rig.service.lines().back().contains("\"group\""));
    CHECK(rig.service.listened().back().contains("inbox=replies"));
    rig.set_options("window=2 group=fast mo=all");
    REQUIRE(test::wait_for(patience,
                           [&] { return rig.service.listened().back().contains("inbox=all"); }));
    (void)hand_in(rig, esme);
    CHECK(rig.service.lines().back().contains("\"group\":\"fast\""));
    const auto third = esme.send(Command::submit_sm, hello());
    CHECK(answer_to(esme, third).header.status == Status::throttled);
    rig.set_options("window=3 group=slow");
    REQUIRE(test::wait_for(
        patience, [&] { return rig.service.listened().back().contains("inbox=replies"); }));
    (void)hand_in(rig, esme);
    CHECK(rig.service.lines().back().contains("\"group\":\"slow\""));
    CHECK(esme.is_open());
}

TEST_CASE("smpp server: at most `window` deliveries are in flight") {
    test::SmppGate rig("window=2");
    rig::Esme esme = rig.bound();
    hand_in_seven(rig, esme);
    for (int event = 5; event < 8; ++event) {
        rig.service.tell(event, delivered(rig.service.lines().back(), std::to_string(event)));
    }
    const auto first = esme.read(patience);
    const auto second = esme.read(patience);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(id_of(*second) == "6");
    CHECK_FALSE(esme.read(soon));
    esme.answer(first->header);
    const auto third = esme.read(patience);
    REQUIRE(third);
    CHECK(id_of(*third) == "7");
    CHECK_FALSE(esme.read(soon));
}

TEST_CASE("smpp server: what is not acknowledged within response_s comes again") {
    test::SmppGate rig("", {.response = 1s});
    rig::Esme esme = rig.bound();
    hand_in_seven(rig, esme);
    rig.service.tell(5, delivered(rig.service.lines().back(), "7"));
    const auto first = esme.read(patience);
    REQUIRE(first);
    const auto again = esme.read(patience);
    REQUIRE(again);
    CHECK(id_of(*again) == "7");
    CHECK(again->header.sequence != first->header.sequence);
    esme.answer(again->header);
    esme.flush();
    CHECK(test::wait_for(patience, [&] { return rig.service.acknowledged().back() == 5; }));
}

TEST_CASE("smpp server: 30 seconds without the service, and not before, new messages are refused") {
    test::SmppGate rig("window=1000");
    rig::Esme esme = rig.bound();
    (void)hand_in(rig, esme);
    rig.service.answer(seven);
    REQUIRE(esme.read(patience));
    const SteadyTime gone = rig.clock.steady();
    rig.service.stop();
    std::optional<smpp::Pdu> answer;
    for (int i = 0; i < 500 && !answer; ++i) {  // the gate notices with its next report
        rig.clock.advance(1s);
        (void)esme.send(Command::submit_sm, hello());
        answer = esme.read(100ms);
    }
    REQUIRE(answer);
    CHECK(answer->header.status == Status::throttled);
    CHECK(rig.clock.steady() - gone >= gate::ServicePresence::patience);
    CHECK(esme.is_open());
    rig.service.start();
    // Those before were held, and none of them is refused.
    CHECK(test::wait_for(patience, [&] { return rig.service.lines().size() > 2; }));
}

TEST_CASE("smpp server: the metrics of an account") {
    test::SmppGate rig("rate=1 window=5");
    rig::Esme esme = rig.bound();
    hand_in_seven(rig, esme);
    const auto throttled = esme.send(Command::submit_sm, hello());
    CHECK(answer_to(esme, throttled).header.status == Status::throttled);
    rig.service.tell(5, delivered(rig.service.lines().back(), "7"));
    const auto receipt = esme.read(patience);
    REQUIRE(receipt);
    const std::string before = rig.metrics();
    for (const char* line :
         {"smsrack_smpp_sessions{account=\"shop\"} 1\n",
          "smsrack_smpp_pdus_total{account=\"shop\",command=\"bind_transceiver\",status=\"ESME_"
          "ROK\"} 1\n",
          "smsrack_smpp_pdus_total{account=\"shop\",command=\"submit_sm\",status=\"ESME_ROK\"} 1\n",
          "smsrack_smpp_pdus_total{account=\"shop\",command=\"submit_sm\",status=\"ESME_"
          "RTHROTTLED\"} 1\n",
          "smsrack_smpp_submit_seconds_count{account=\"shop\"} 1\n",
          "smsrack_smpp_throttled_total{account=\"shop\"} 1\n",
          "smsrack_smpp_deliveries_waiting{account=\"shop\"} 1\n",
          "smsrack_smpp_deliveries_total{account=\"shop\"} 0\n"}) {
        CAPTURE(line);
        CHECK(before.contains(line));
    }
    CHECK_FALSE(before.contains("smsrack_smpp_submit_seconds_sum{account=\"shop\"} 0\n"));
    esme.answer(receipt->header);
    esme.flush();
    CHECK(test::wait_for(patience, [&] {
        const std::string text = rig.metrics();
        return text.contains("smsrack_smpp_deliveries_waiting{account=\"shop\"} 0\n") &&
               text.contains("smsrack_smpp_deliveries_total{account=\"shop\"} 1\n");
    }));
}
