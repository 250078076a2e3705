// A message is replaced while the rack has it in memory: the old text never reaches a phone.
#include "src/pdu/decode.hpp"
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string number(int i) {
    return "+336120" + std::to_string(10'000 + i);
}

std::vector<std::string> texts(const test::World& world) {
    std::vector<std::string> sent;
    for (const auto& submit : world.modems.journal.submits) {
        const auto decoded =
            pdu::decode_pdu(pdu::octets_of(submit.pdu), pdu::Direction::from_mobile);
        REQUIRE(decoded);
        sent.push_back(std::get<pdu::SmsSubmit>(decoded->tpdu).user_data.text());
    }
    return sent;
}

}  // namespace

TEST_CASE("replace: at any moment before it is begun, only the new text is sent, and once") {
    for (int turns = 0; turns < 60; ++turns) {
        CAPTURE(turns);
        test::World world({.modems = 1, .service = 300ms});
        REQUIRE(world.run_until_ready());
        (void)world.send(number(1), "the one before");
        const MessageId id = world.send(number(2), "old");
        world.run_turns(static_cast<std::size_t>(turns) * 20);
        const auto replaced = world.replace(id, {.to = number(2), .text = "new"});
        CHECK(world.run(30s, [&] { return world.state(id) == MessageState::delivered; }));
        const auto sent = texts(world);
        REQUIRE(sent.size() == 2);
        CHECK(sent[1] == (replaced ? "new" : "old"));
    }
}

TEST_CASE("replace: the rest of a level that waits in memory goes out too") {
    test::World world({.modems = 1, .service = 200ms});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (int i = 0; i < 60; ++i) {
        ids.push_back(world.send(number(i), "old"));
    }
    std::size_t replaced = 0;
    for (std::size_t i = 10; i < ids.size(); i += 5) {
        replaced +=
            world.replace(ids[i], {.to = number(static_cast<int>(i)), .text = "new"}) ? 1 : 0;
    }
    CHECK(replaced == 10);
    CHECK(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
    const auto sent = texts(world);
    CHECK(sent.size() == 60);
    CHECK(static_cast<std::size_t>(std::ranges::count(sent, "new")) == replaced);
}

TEST_CASE("replace: a message whose old time is over is kept for its new time") {
    test::World world({.modems = 1, .service = 200ms});
    REQUIRE(world.run_until_ready());
    CHECK(world.pause(ports::PauseScope::rack));
    const MessageId id =
        world.send(intake::SubmitRequest{.to = number(1), .text = "old", .ttl_s = 60});
    world.run_for(58s);
    REQUIRE(world.replace(id, {.to = number(1), .text = "new", .ttl_s = 600}));
    world.run_for(60s);
    CHECK(world.state(id) == MessageState::queued);
    CHECK(world.resume(ports::PauseScope::rack));
    CHECK(world.run(30s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(texts(world) == std::vector<std::string>{"new"});
}
