#include "drivers/serial/serial_source.hpp"

#include "drivers/serial/line_speed.hpp"
#include "drivers/serial/owned_fd.hpp"
#include "drivers/serial/port_holder.hpp"
#include "firmware-host/process/system_clock.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <pty.h>
#include <string>
#include <sys/file.h>
#include <termios.h>
#include <thread>
#include <unistd.h>

namespace smsrack::serial {
namespace {

using namespace std::chrono_literals;

/// A pseudo-terminal: the test has the master's end, as smsrack-sim has.
struct Pty {
    OwnedFd master;
    std::string path;

    Pty() {
        int master_fd = -1;
        int slave_fd = -1;
        std::array<char, 64> name{};
        termios raw{};
        ::cfmakeraw(&raw);
        REQUIRE(::openpty(&master_fd, &slave_fd, name.data(), &raw, nullptr) == 0);
        master = OwnedFd(master_fd);
        keeper = OwnedFd(slave_fd);
        path = name.data();
    }
    void say(std::string_view text) const {
        REQUIRE(::write(master.get(), text.data(), text.size()) ==
                static_cast<ssize_t>(text.size()));
    }
    [[nodiscard]] std::string heard() const {
        std::array<char, 256> buffer{};
        const auto got = ::read(master.get(), buffer.data(), buffer.size());
        return {buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
    }

    OwnedFd keeper;  // so that the master does not see a hang-up between two openings
};

std::string read_all(BytePipe& pipe) {
    std::array<char, 256> buffer{};
    const auto got = pipe.read(buffer);
    REQUIRE(got);
    return {buffer.data(), *got};
}

}  // namespace

TEST_CASE("SerialSource: what the modem said before the port was opened is read first") {
    const host::SystemClock clock;
    const Pty pty;
    pty.say("\r\n+CMGS: 12\r\n");
    SerialSource source(clock);
    const auto pipe = source.open({.path = pty.path});
    REQUIRE(pipe);
    CHECK(read_all(**pipe) == "\r\n+CMGS: 12\r\n");
    CHECK(read_all(**pipe).empty());
    REQUIRE((*pipe)->write(std::string_view("AT\r")));
    CHECK(pty.heard() == "AT\r");
}

TEST_CASE("SerialSource: after a read that took all, what comes is read after the next wait") {
    const host::SystemClock clock;
    const Pty pty;
    SerialSource source(clock);
    const auto pipe = source.open({.path = pty.path});
    REQUIRE(pipe);
    pty.say("one");
    std::array<char, 3> small{};
    CHECK((*pipe)->read(small).value_or(0) == 3);  // there may be more
    pty.say("two");
    CHECK(read_all(**pipe) == "two");
    pty.say("three");
    CHECK(read_all(**pipe).empty());
    source.waiter().wait_until(clock.steady() + 10s);
    CHECK(read_all(**pipe) == "three");
    pty.say("four");
    source.waiter().wait_until(clock.steady());  // its time is over: it does not look
    CHECK(read_all(**pipe) == "four");
}

TEST_CASE("SerialSource: the rate of an open port can be changed, and shows at the terminal") {
    const host::SystemClock clock;
    const Pty pty;
    SerialSource source(clock);
    auto pipe = source.open({.path = pty.path});
    REQUIRE(pipe);
    CHECK((*pipe)->baud() == 115'200);
    REQUIRE((*pipe)->set_baud(230'400));
    CHECK((*pipe)->baud() == 230'400);
    CHECK(baud_of_port(pty.keeper.get()) == 230'400);
    const auto refused = (*pipe)->set_baud(230'401);
    REQUIRE(!refused);
    CHECK(refused.error().code == Errc::bad_config);
    CHECK((*pipe)->baud() == 230'400);

    // The process that adopts it finds it so.
    SerialSource other(clock);
    const auto adopted = other.adopt((*pipe)->duplicate());
    REQUIRE(adopted);
    CHECK((*adopted)->baud() == 230'400);
}

TEST_CASE(
    "SerialSource: a port keeps the rate that another process left, if that is the one to be "
    "kept") {
    const host::SystemClock clock;
    const Pty pty;
    SerialSource source(clock);
    REQUIRE((*source.open({.path = pty.path}))->set_baud(230'400));
    CHECK((*source.open({.path = pty.path, .kept_baud = 230'400}))->baud() == 230'400);
    CHECK((*source.open({.path = pty.path, .kept_baud = 460'800}))->baud() == 115'200);
    CHECK((*source.open({.path = pty.path, .kept_baud = 230'400}))->baud() == 115'200);
}

TEST_CASE("SerialSource: a port that is open cannot be opened again, and who holds it is named") {
    const host::SystemClock clock;
    const Pty pty;
    SerialSource first(clock);
    SerialSource second(clock);
    auto held = first.open({.path = pty.path});
    REQUIRE(held);
    const auto refused = second.open({.path = pty.path});
    REQUIRE(!refused);
    CHECK(refused.error().code == Errc::busy);
    CHECK(refused.error().context.find("pid " + std::to_string(::getpid())) != std::string::npos);

    held->reset();
    CHECK(second.open({.path = pty.path}));
}

TEST_CASE("SerialSource: a lock ends with its holder: a pseudo-terminal is not left exclusive") {
    const host::SystemClock clock;
    const Pty pty;
    SerialSource source(clock);
    const auto pipe = source.open({.path = pty.path});
    REQUIRE(pipe);
    const OwnedFd other(::open(pty.path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    CHECK(other.get() >= 0);  // TIOCEXCL would refuse it to all but root
    CHECK(::flock(other.get(), LOCK_EX | LOCK_NB) != 0);
}

TEST_CASE("SerialSource: the path is resolved again at each open") {
    const host::SystemClock clock;
    const Pty one;
    const Pty two;
    const auto link =
        std::filesystem::temp_directory_path() / ("smsrack-link-" + std::to_string(::getpid()));
    std::filesystem::remove(link);
    SerialSource source(clock);
    for (const Pty* pty : {&one, &two}) {
        std::filesystem::remove(link);
        std::filesystem::create_symlink(pty->path, link);
        const auto pipe = source.open({.path = link.string()});
        REQUIRE(pipe);
        REQUIRE((*pipe)->write(std::string_view("AT\r")));
        CHECK(pty->heard() == "AT\r");
    }
    std::filesystem::remove(link);
}

TEST_CASE("SerialSource: what can't be opened says why and what to do") {
    const host::SystemClock clock;
    SerialSource source(clock);
    struct Case {
        const char* path;
        Errc code;
        const char* says;
    };
    for (const Case& c : {
             Case{"/dev/serial/by-path/none", Errc::no_device, "plug the modem in"},
             Case{"/dev/null", Errc::no_device, "not a serial port"},
             Case{"/etc/passwd", Errc::no_device, "not a serial port"},
             Case{"", Errc::no_device, "correct `port`"},
         }) {
        CAPTURE(c.path);
        const auto pipe = source.open({.path = c.path});
        REQUIRE(!pipe);
        CHECK(pipe.error().code == c.code);
        CHECK(pipe.error().context.find(c.says) != std::string::npos);
    }
}

TEST_CASE("SerialSource: when the other end goes away the pipe is closed") {
    const host::SystemClock clock;
    Pty pty;
    SerialSource source(clock);
    const auto pipe = source.open({.path = pty.path});
    REQUIRE(pipe);
    pty.master = OwnedFd();
    std::array<char, 8> buffer{};
    const auto got = (*pipe)->read(buffer);
    REQUIRE(!got);
    CHECK(got.error().code == Errc::closed);
}

TEST_CASE("PollWaiter: data, wake() from another thread and the deadline each end the wait") {
    const host::SystemClock clock;
    const Pty pty;
    SerialSource source(clock);
    auto& waiter = source.waiter();

    SUBCASE("a wake-up before the wait is not lost, port or not") {
        waiter.wake();
        waiter.wake();
        waiter.wait_until(never);
        CHECK(true);
    }
    SUBCASE("wake() from another thread") {
        const std::jthread other([&waiter] { waiter.wake(); });
        waiter.wait_until(never);
        CHECK(true);
    }
    SUBCASE("data on the port") {
        const auto pipe = source.open({.path = pty.path});
        REQUIRE(pipe);
        pty.say("x");
        waiter.wait_until(never);
        CHECK(read_all(**pipe) == "x");
    }
    SUBCASE("the deadline, neither early nor much too late") {
        const auto deadline = clock.steady() + 20ms;
        waiter.wait_until(deadline);
        CHECK(clock.steady() >= deadline);
        CHECK(clock.steady() < deadline + 2s);
    }
    SUBCASE("a deadline that is over") {
        waiter.wait_until(clock.steady() - 1s);
        CHECK(true);
    }
    SUBCASE("room, after a write that was cut short") {
        const auto pipe = source.open({.path = pty.path});
        REQUIRE(pipe);
        const std::string much(1U << 20U, 'x');
        const auto put = (*pipe)->write(much);
        REQUIRE(put);
        REQUIRE(*put < much.size());
        const std::jthread reader([&pty, left = *put]() mutable {
            while (left > 0) {
                left -= std::min(left, pty.heard().size());
            }
        });
        waiter.wait_until(never);
        CHECK((*pipe)->write(std::string_view("y")).value_or(0) == 1);
    }
}

}  // namespace smsrack::serial
