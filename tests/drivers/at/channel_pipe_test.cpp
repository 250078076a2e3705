#include "drivers/at/channel_pipe.hpp"

#include "tests/support/scripted_pipe.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::at {

TEST_CASE("ChannelPipe: what the pipe does not take is written later, in order") {
    test::Wire wire{.room = 3};
    test::ScriptedPipe pipe(wire);
    ChannelPipe channel;
    channel.attach(&pipe);
    channel.write({"AT", "+CSQ", "\r"});
    CHECK(wire.from_host == "AT+");
    CHECK(channel.unwritten() == "CSQ\r");
    wire.room = 100;
    channel.write({"\x1b"});
    CHECK(wire.from_host == "AT+CSQ\r\x1b");
    CHECK(channel.unwritten().empty());

    ChannelPipe next;
    next.attach(&pipe);
    next.resume("OK\r");
    next.write({});
    CHECK(wire.from_host.ends_with("OK\r"));
}

TEST_CASE("ChannelPipe: one step reads only a few buffers of a port that never is silent") {
    test::Wire wire;
    test::ScriptedPipe pipe(wire);
    ChannelPipe channel;
    channel.attach(&pipe);
    wire.to_host.assign(100'000, 'x');
    std::size_t came = 0;
    const auto count = [&](std::span<const char> bytes) { came += bytes.size(); };
    channel.read(count);
    CHECK(came == ChannelPipe::reads_max * 1024);
    for (int step = 0; step < 10; ++step) {
        channel.read(count);
    }
    CHECK(came == 100'000);
}

TEST_CASE(
    "ChannelPipe: a pipe that is gone is neither read nor written any more, until another is "
    "attached") {
    test::Wire wire{.to_host = "OK", .plugged = false};
    test::ScriptedPipe pipe(wire);
    ChannelPipe channel;
    channel.write({"AT\r"});  // there is none yet
    CHECK(channel.unwritten().empty());
    CHECK(channel.state().has_value());
    channel.attach(&pipe);
    channel.write({"AT\r"});
    CHECK_FALSE(channel.state());
    CHECK(channel.unwritten().empty());
    channel.read([](std::span<const char>) { FAIL("nothing can come"); });
    wire.plugged = true;
    channel.attach(&pipe);
    CHECK(channel.state().has_value());
    channel.write({"AT\r"});
    CHECK(wire.from_host == "AT\r");
}

}  // namespace smsrack::at
