#include "firmware-host/net/listener.hpp"

#include "tests/net/client.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// Listeners on one path, on a loop that the test runs.
struct ListenerRig {
    [[nodiscard]] net::Listener make() {
        return {{.path = path}, loop, log, [this](uv_stream_s&) { ++announced; }};
    }
    void run() {
        const auto end = loop.after(20ms, [this] { loop.stop(); });
        loop.run();
    }
    [[nodiscard]] bool has_file() const { return std::filesystem::exists(path); }

    test::TempDir dir;
    std::string path = dir.path() / "s";
    test::QuietLog log;
    net::Loop loop;
    int announced = 0;
};

}  // namespace

TEST_CASE("Listener: a connection is announced, but waits in the socket while it is held") {
    ListenerRig rig;
    net::Listener listener = rig.make();
    REQUIRE(listener.listen());
    listener.hold(true);
    const test::Client client(rig.path);
    CHECK(client.connected());
    rig.run();
    CHECK(rig.announced == 0);
    listener.hold(false);
    rig.run();
    CHECK(rig.announced == 1);
}

TEST_CASE("Listener: the file goes with the listener, but stays for another that has the socket") {
    ListenerRig rig;
    net::Listener listener = rig.make();
    REQUIRE(listener.listen());
    int other = -1;
    SUBCASE("no other has it") {}
    SUBCASE("left") {
        listener.hold(true);
        other = listener.leave();
        REQUIRE(other >= 0);
    }
    SUBCASE("kept") {
        other = listener.keep();
        REQUIRE(other >= 0);
    }
    listener.close();
    CHECK(rig.has_file() == (other >= 0));
    CHECK(test::Client(rig.path).connected() == (other >= 0));
    ::close(other);
}

TEST_CASE("Listener: one that was left is adopted, with the connections that wait in it") {
    for (const bool owns_file : {true, false}) {
        CAPTURE(owns_file);
        ListenerRig rig;
        net::Listener first = rig.make();
        REQUIRE(first.listen());
        first.hold(true);
        const test::Client client(rig.path);
        net::Listener next = rig.make();
        REQUIRE(next.adopt(first.leave(), owns_file));
        first.close();
        rig.run();
        CHECK(rig.announced == 1);
        next.close();
        CHECK(rig.has_file() != owns_file);  // another's file stays
    }
}

TEST_CASE("Listener: a descriptor that does not listen is refused, and closed") {
    ListenerRig rig;
    net::Listener listener = rig.make();
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const auto adopted = listener.adopt(pipe[0], true);
    REQUIRE_FALSE(adopted);
    CHECK(adopted.error().code == Errc::bad_config);
    CHECK(fcntl(pipe[0], F_GETFD) == -1);
    ::close(pipe[1]);
}
