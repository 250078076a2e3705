// Orders to smsrack-wake over a real socket, with a stand-in for what systemd runs.
#include "firmware-host/wake_socket.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// Takes one connection after the other, notes the line, and answers each in turn.
class Unit {
public:
    Unit(const std::string& path, std::vector<std::string> answers)
        : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
        REQUIRE(path.size() < sizeof address.sun_path);
        std::memcpy(address.sun_path, path.c_str(), path.size());
        REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        REQUIRE(::listen(fd_, 8) == 0);
        thread_ = std::jthread([this, answers = std::move(answers)] {
            for (const std::string& answer : answers) {
                const int connection = ::accept(fd_, nullptr, nullptr);
                std::array<char, 256> line{};
                const ssize_t count = ::read(connection, line.data(), line.size());
                orders.emplace_back(line.data(),
                                    static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
                for (const char c : answer) {  // in pieces
                    (void)::write(connection, &c, 1);
                }
                ::close(connection);
            }
        });
    }
    ~Unit() {
        thread_.join();
        ::close(fd_);
    }
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    std::vector<std::string> orders = {};  // whole once all were answered

private:
    int fd_;
    std::jthread thread_;
};

struct Rig {
    test::TempDir folder = {};
    std::string path = (folder.path() / "wake.sock").string();
    net::Loop loop = {};

    Result<> ask(host::WakeSocket& socket, std::string box) {
        std::optional<Result<>> answer;
        socket.order(ports::PowerOrder::fence, std::move(box), [&](Result<> how) {
            answer = std::move(how);
            loop.stop();
        });
        if (!answer) {
            loop.run();
        }
        return answer.value();
    }
};

}  // namespace

TEST_CASE("wake socket: an order is a line, and what came of it comes back") {
    Rig rig;
    std::vector<std::string> orders;
    {
        Unit unit(rig.path, {"exit 0\n", "exit 4 the switch does not answer\n",
                             "failed it ran for 60 s\n", "exit 0", ""});
        host::WakeSocket socket(rig.loop, rig.path);
        CHECK(socket.is_there());
        CHECK(rig.ask(socket, "b2"));
        CHECK(rig.ask(socket, "b3").error().context ==
              "the program ended with 4: the switch does not answer");
        CHECK(rig.ask(socket, "b3").error().code == Errc::conflict);
        CHECK(rig.ask(socket, "b3").error().code == Errc::closed);
        CHECK(rig.ask(socket, "b3").error().code == Errc::closed);
        orders = unit.orders;
    }
    CHECK(orders.front() == "fence b2\n");
}

TEST_CASE("wake socket: where there is none nothing is done, and a bad name does not leave") {
    Rig rig;
    host::WakeSocket none(rig.loop, "");
    CHECK_FALSE(none.is_there());
    host::WakeSocket socket(rig.loop, rig.path);
    CHECK_FALSE(socket.is_there());
    CHECK(rig.ask(socket, "b2").error().code == Errc::closed);
    CHECK(rig.ask(socket, "-x").error().code == Errc::bad_request);
}

TEST_CASE("wake socket: what is in flight as the service ends is answered by none") {
    Rig rig;
    Unit unit(rig.path, {""});
    bool answered = false;
    {
        host::WakeSocket socket(rig.loop, rig.path);
        socket.order(ports::PowerOrder::wake, "b2", [&](const Result<>&) { answered = true; });
    }
    {
        host::WakeSocket socket(rig.loop, rig.path);
        CHECK_FALSE(rig.ask(socket, "b2"));
    }
    CHECK_FALSE(answered);
}

TEST_CASE("wake socket: more orders at once than it may have are refused, and the others are not") {
    Rig rig;
    // Takes no connection: they wait in its queue.
    Unit unit(rig.path, {});
    std::vector<Errc> refused;
    host::WakeSocket socket(rig.loop, rig.path);
    for (std::size_t order = 0; order < host::WakeSocket::orders_max; ++order) {
        socket.order(ports::PowerOrder::wake, "b2",
                     [&](const Result<>& how) { refused.push_back(how.error().code); });
    }
    CHECK(rig.ask(socket, "b3").error().code == Errc::queue_full);
    CHECK(refused.empty());
}
