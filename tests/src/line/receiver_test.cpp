#include "src/line/receiver.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon{std::chrono::milliseconds(1'000'000)};
constexpr SteadyTime start = SteadyTime{} + 1h;
constexpr SimId sim{5};
constexpr SimId not_known{};

ports::ReceivedPdu pdu(std::uint32_t token, std::string octets = "abc") {
    return {.token = token, .pdu = std::move(octets)};
}

struct ToCodec {
    queue::ReceiveQueue queue;
};
/// With the queue that it writes to.
struct Receiver : ToCodec, line::Receiver {
    Receiver() : line::Receiver(queue) {}
};

/// What the codec finds, oldest first.
std::vector<std::uint32_t> tokens(Receiver& receiver) {
    std::vector<std::uint32_t> found;
    queue::ReceivedOctets octets;
    while (receiver.queue.pop(octets)) {
        found.push_back(octets.token);
    }
    return found;
}

using Tokens = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("Receiver: a PDU goes to the codec with its SIM, its place and its times") {
    Receiver receiver;
    ports::ReceivedPdu event = pdu(7);
    event.held_at = HeldPlace{.memory = HeldIn::sim, .index = 3};
    event.noted_at = start - 90s;
    CHECK(receiver.take(event, sim, noon, start) == 1);
    queue::ReceivedOctets octets;
    REQUIRE(receiver.queue.pop(octets));
    CHECK(octets.view() == "abc");
    CHECK(octets.sim == sim);
    CHECK(octets.held_at == event.held_at);
    CHECK(octets.heard_at == noon);
    CHECK(octets.noted_at == noon - 90s);
    CHECK_FALSE(receiver.is_empty());
    receiver.kept(7);
    CHECK(receiver.is_empty());
}

TEST_CASE("Receiver: a place noted ahead of now was noted now, and none where none was noted") {
    Receiver receiver;
    ports::ReceivedPdu ahead = pdu(1);
    ahead.noted_at = start + 5s;
    (void)receiver.take(ahead, sim, noon, start);
    (void)receiver.take(pdu(2), sim, noon, start);
    queue::ReceivedOctets octets;
    REQUIRE(receiver.queue.pop(octets));
    CHECK(octets.noted_at == noon);
    REQUIRE(receiver.queue.pop(octets));
    CHECK_FALSE(octets.noted_at);
}

TEST_CASE("Receiver: what is longer than any PDU is kept as far as there is room") {
    Receiver receiver;
    CHECK(receiver.take(pdu(1, std::string(300, 'x')), sim, noon, start) == 1);
    queue::ReceivedOctets octets;
    REQUIRE(receiver.queue.pop(octets));
    CHECK(octets.view() == std::string(queue::received_octets_max, 'x'));
}

TEST_CASE("Receiver: PDUs read before the SIM is known wait for it") {
    Receiver receiver;
    CHECK(receiver.take(pdu(1), not_known, noon, start) == 0);
    CHECK(receiver.take(pdu(2), not_known, noon, start) == 0);
    CHECK(tokens(receiver).empty());
    CHECK(receiver.sim_known(sim) == 2);
    CHECK(tokens(receiver) == Tokens{1, 2});
}

TEST_CASE("Receiver: a full disk is asked again after a pause, for what it refused alone") {
    Receiver receiver;
    for (std::uint32_t token = 1; token <= 3; ++token) {
        (void)receiver.take(pdu(token), sim, noon, start);
    }
    (void)tokens(receiver);
    CHECK(receiver.offer_at() == never);
    CHECK(receiver.offer_again(sim, start + 1h) == 0);
    receiver.not_kept(2, start);
    receiver.not_kept(3, start);
    receiver.kept(3);  // an earlier offer of it was stored all the same
    CHECK(receiver.offer_at() == start + 2s);
    CHECK(receiver.offer_again(sim, start + 2s - 1ns) == 0);
    CHECK(receiver.offer_again(sim, start + 2s) == 1);
    CHECK(tokens(receiver) == Tokens{2});
    CHECK(receiver.offer_at() == never);
    CHECK(receiver.offer_again(sim, start + 1h) == 0);
}

TEST_CASE("Receiver: a full one takes nothing until one PDU is stored") {
    Receiver receiver;
    for (std::uint32_t token = 1; token <= queue::receive_queue_places; ++token) {
        CHECK_FALSE(receiver.is_full());
        CHECK(receiver.take(pdu(token), sim, noon, start) == 1);
    }
    CHECK(receiver.is_full());
    CHECK(tokens(receiver).size() == queue::receive_queue_places);
    CHECK(receiver.take(pdu(99), sim, noon, start) == 0);
    CHECK(tokens(receiver).empty());
    receiver.kept(99);  // which it does not hold
    CHECK(receiver.is_full());
    receiver.kept(1);
    CHECK_FALSE(receiver.is_full());
    CHECK(receiver.take(pdu(99), sim, noon, start) == 1);
}

TEST_CASE("Receiver: with another SIM nothing of the one before is offered or said") {
    Receiver receiver;
    (void)receiver.take(pdu(1), sim, noon, start);
    (void)tokens(receiver);
    receiver.not_kept(1, start);
    receiver.remember(ports::PduErased{});
    receiver.forget();
    CHECK(receiver.is_empty());
    CHECK(receiver.take_news().empty());
    CHECK(receiver.offer_again(SimId{6}, start + 2s) == 0);
    CHECK(receiver.sim_known(SimId{6}) == 0);
    CHECK(tokens(receiver).empty());
}

TEST_CASE("Receiver: what is said of places is given once, in order") {
    Receiver receiver;
    receiver.remember(ports::PduErased{.place = {.memory = HeldIn::sim, .index = 3}});
    receiver.remember(ports::PlacesListed{.memory = HeldIn::sim, .indexes = {2}});
    const auto news = receiver.take_news();
    REQUIRE(news.size() == 2);
    CHECK(std::get<ports::PduErased>(news[0]).place.index == 3);
    CHECK(std::get<ports::PlacesListed>(news[1]).indexes == std::vector<std::uint16_t>{2});
    CHECK(receiver.take_news().empty());
}
