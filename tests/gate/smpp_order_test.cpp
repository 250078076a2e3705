// A receipt never comes before the answer to its submit, whatever the submit is made of.
#include "tests/gate/support/smpp_talk.hpp"

#include <doctest/doctest.h>

#include <poll.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using smpp::Command;
using smpp::Status;
using test::delivered;
using test::hand_in;
using test::patience;
using test::soon;

namespace {

std::string accepted(int id) {
    return R"({"id":")" + std::to_string(id) + R"(","state":"queued","segments":1})";
}

bool has_octets(const rig::Esme& esme) {
    pollfd one{.fd = esme.descriptor(), .events = POLLIN, .revents = 0};
    return ::poll(&one, 1, 0) == 1;
}

}  // namespace

TEST_CASE(
    "smpp server: of a submit_multi that replaces, the receipt of one number waits for the answer "
    "that all have") {
    test::SmppGate rig;
    rig::Esme esme = rig.bound();
    REQUIRE(test::wait_for(patience, [&] { return rig.service.is_heard(); }));
    smpp::SubmitMulti multi{.source = {.ton = 5, .npi = 0, .text = "Bank"},
                            .registered_delivery = 1,
                            .replace_if_present_flag = 1,
                            .short_message = "Hello"};
    for (const char* number : {"33612345678", "33612345679"}) {
        multi.destinations.push_back({.address = {.ton = 1, .npi = 1, .text = number}});
    }
    const auto sequence = esme.send(Command::submit_multi, multi);
    esme.flush();
    REQUIRE(test::wait_for(patience, [&] { return rig.service.lines().size() == 1; }));
    rig.service.tell(5, delivered(rig.service.lines().back(), "7"));
    CHECK_FALSE(esme.read(soon));
    rig.service.answer(accepted(7));
    REQUIRE(test::wait_for(patience, [&] { return rig.service.lines().size() == 2; }));
    CHECK_FALSE(esme.read(soon));
    rig.service.answer(accepted(8));
    test::read_answer_then_receipt(esme, Command::submit_multi_resp, sequence);
}

TEST_CASE(
    "smpp server: a receipt that another session of the account gets comes after the answer in the "
    "first") {
    test::SmppGate rig;
    rig::Esme sender = rig.bound(Command::bind_transmitter);
    rig::Esme receiver = rig.bound(Command::bind_receiver);
    REQUIRE(test::wait_for(patience, [&] { return rig.service.is_heard(); }));
    for (int i = 0; i < 50; ++i) {
        CAPTURE(i);
        const auto sequence = hand_in(rig, sender);
        rig.service.tell(100 + i, delivered(rig.service.lines().back(), std::to_string(7 + i)));
        rig.service.answer(accepted(7 + i));
        const auto receipt = receiver.read(patience);
        REQUIRE(receipt);
        CHECK(receipt->header.command == Command::deliver_sm);
        CHECK(has_octets(sender));  // the answer is there by then
        receiver.answer(receipt->header);
        receiver.flush();
        REQUIRE(sender.answer_to(sequence, patience));
    }
}

TEST_CASE("open submits: what was asked before counts until all of it is answered, in any order") {
    gate::OpenSubmits open;
    CHECK(open.opened() == 0);
    const auto first = open.open();
    const auto second = open.open();
    const auto third = open.open();
    CHECK(open.opened() == third);
    open.answered(second);
    CHECK(open.settled() == 0);
    open.answered(first);
    CHECK(open.settled() == second);
    CHECK(open.open() == third + 1);
    open.answered(third);
    CHECK(open.settled() == third);
    open.answered(third + 1);
    CHECK(open.settled() == open.opened());
}
