#include "firmware-host/service_watch.hpp"

#include "drivers/serial/serial_source.hpp"
#include "firmware-host/codec_pool.hpp"
#include "firmware-host/service_settings.hpp"
#include "tests/rack/support/host_run.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// systemd, as far as it listens to the service that a test makes while this object is there.
class ListeningSystemd {
public:
    explicit ListeningSystemd(const std::filesystem::path& path)
        : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.c_str(), path.string().size() + 1);
        REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
        ::setenv("WATCHDOG_USEC", "60000", 1);  // so alive() is wanted each 30 ms
    }
    ListeningSystemd(const ListeningSystemd&) = delete;
    ListeningSystemd& operator=(const ListeningSystemd&) = delete;
    ~ListeningSystemd() {
        ::unsetenv("NOTIFY_SOCKET");
        ::unsetenv("WATCHDOG_USEC");
        ::close(fd_);
    }

    /// The number of signs of life from the service since the last call.
    [[nodiscard]] int alive() const {
        int times = 0;
        std::array<char, 256> text{};
        for (;;) {
            const ssize_t length = ::recv(fd_, text.data(), text.size(), 0);
            if (length < 0) {
                return times;
            }
            times +=
                std::string_view(text.data(), static_cast<std::size_t>(length)) == "WATCHDOG=1\n"
                    ? 1
                    : 0;
        }
    }

private:
    const int fd_;
};

/// What a service watches: a store and a rack with their threads. The test runs the loop.
class WatchBench {
public:
    explicit WatchBench(host::Configuration configuration) : host(std::move(configuration)) {
        host::HandOver nothing;
        REQUIRE(store_.open(nothing, false, host.address));
        auto made = host::Rack::make(
            host.run.settings,
            {*store_, codec_pool_, host.address, host.stats, host.run.clock, host.run.random,
             host.run.configuration.errors, host.log,
             [this](const auto&) { return std::make_unique<serial::SerialSource>(host.run.clock); },
             host::power_of});
        REQUIRE(made);
        rack_ = *std::move(made);
        rack_->start();
        upkeep_.emplace(host.run, *rack_, clients_, ports::UpkeepOutcome{}, [](host::Ending) {});
        watch.emplace(host.run, store_, *rack_, *upkeep_, nullptr, from);
    }
    WatchBench(const WatchBench&) = delete;
    WatchBench& operator=(const WatchBench&) = delete;
    ~WatchBench() {
        watch->stop();
        rack_->stop();
        codec_pool_.close();
        store_.close();
    }

    void run_for(std::chrono::milliseconds time) {
        const auto end = host.run.loop.after(time, [this] { host.run.loop.stop(); });
        host.run.loop.run();
    }

    test::HostRun host;
    const SteadyTime from = host.run.clock.steady();

private:
    host::CodecPool codec_pool_{1};
    host::OpenStore store_{host.run};
    std::unique_ptr<host::Rack> rack_;
    std::optional<host::ClientSide> clients_;
    std::optional<host::ServiceUpkeep> upkeep_;

public:
    std::optional<host::ServiceWatch> watch;
};

/// The disk of this machine may have conditions of its own.
std::ptrdiff_t count_conditions(const host::ServiceWatch& watch, ports::ConditionKind kind) {
    return std::ranges::count(watch.conditions(), kind, &ports::Condition::kind);
}

}  // namespace

TEST_CASE("ServiceWatch: systemd hears that the service is alive, until the watch stops") {
    const test::TempDir dir(test::TempDir::memory());
    const ListeningSystemd systemd(dir.path() / "notify");
    WatchBench bench(test::one_modem(dir.path()));
    bench.run_for(100ms);  // a socket holds ten unread datagrams
    CHECK(systemd.alive() > 0);
    bench.watch->stop();
    bench.run_for(100ms);
    CHECK(systemd.alive() == 0);
}

TEST_CASE("ServiceWatch: it knows what is wrong with the configuration and the database") {
    for (const bool wrong : {false, true}) {
        CAPTURE(wrong);
        const test::TempDir dir(test::TempDir::memory());
        host::Configuration configuration = test::one_modem(dir.path());
        configuration.warnings.clear();
        if (wrong) {
            std::ofstream(dir.path() / "smsrack.db") << std::string(8192, '\xA5');
            configuration.warnings.push_back({.line = 3, .message = "is not there"});
        }
        const WatchBench bench(std::move(configuration));
        CHECK(count_conditions(*bench.watch, ports::ConditionKind::database_set_aside) ==
              (wrong ? 1 : 0));
        CHECK(count_conditions(*bench.watch, ports::ConditionKind::configuration) ==
              (wrong ? 1 : 0));
    }
}

TEST_CASE("ServiceWatch: it counts the time from its beginning by what a submit is answered") {
    const test::TempDir dir(test::TempDir::memory());
    WatchBench bench(test::one_modem(dir.path()));
    bench.watch->look_at_availability(bench.from + 7s);
    bench.watch->look_at_availability(bench.from + 9s);
    CHECK(bench.host.stats.value(stats::Counter::door_accepting) == 9);
}
