// Programs on other machines send and listen over TLS at 500 messages a second, while the service is upgraded and killed.
#include "tests/programs/support/gate_rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"
#include "tools/bench/tls_client.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fmt/format.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t clients = 10;
constexpr std::chrono::milliseconds each_every{20};  // 500/s in all
constexpr int upgrades = 20;
constexpr int kills = 5;

/// Clients that post at a fixed rate, each on one connection; what was late is caught up with.
class Load {
public:
    explicit Load(const GateRack& rig) : rig_(rig) {
        for (std::size_t client = 0; client < clients; ++client) {
            threads_.at(client) = std::jthread(
                [this, client](const std::stop_token& stop) { post_all(client, stop); });
        }
    }
    void end() {
        for (std::jthread& thread : threads_) {
            thread.request_stop();
        }
        for (std::jthread& thread : threads_) {
            thread.join();
        }
    }
    [[nodiscard]] std::size_t accepted() const { return accepted_; }
    [[nodiscard]] std::size_t failed() const { return failed_; }
    [[nodiscard]] std::chrono::milliseconds longest() const {
        return std::chrono::milliseconds(longest_ms_);
    }

private:
    void post_all(std::size_t number, const std::stop_token& stop) {
        auto client = bench::TlsClient::over_tls(rig_.port(), rig_.certificate());
        auto due = std::chrono::steady_clock::now();
        for (std::size_t serial = 0; !stop.stop_requested(); ++serial) {
            std::this_thread::sleep_until(due);
            due += each_every;
            const std::string body = fmt::format(
                R"({{"to":"+336{:08}","text":"over the network"}})", number * 1'000'000 + serial);
            const auto begun = std::chrono::steady_clock::now();
            const auto reply =
                client ? client->call(fmt::format(
                             "POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                             "{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                             rig_.token("send"), body.size(), body))
                       : std::unexpected(client.error());
            note(std::chrono::steady_clock::now() - begun);
            ++(reply && reply->status == 202 ? accepted_ : failed_);
            if (!reply) {
                return;
            }
        }
    }
    void note(std::chrono::nanoseconds took) {
        const auto ms = std::chrono::ceil<std::chrono::milliseconds>(took).count();
        auto longest = longest_ms_.load();
        while (ms > longest && !longest_ms_.compare_exchange_weak(longest, ms)) {
        }
    }

    const GateRack& rig_;
    std::atomic<std::size_t> accepted_ = 0;
    std::atomic<std::size_t> failed_ = 0;
    std::atomic<std::int64_t> longest_ms_ = 0;
    std::array<std::jthread, clients> threads_;
};

/// The ids that the service itself has kept since `first`, up to `last`.
std::vector<long> ids_of_service(const GateRack& rig, long first, long last) {
    const std::string file = rig.file("truth");
    Process listening(Command{
        .words = {"/usr/bin/curl", "--silent", "--no-buffer", "--unix-socket", rig.rack().socket(),
                  "--header", fmt::format("Last-Event-ID: {}", first - 1),
                  "http://localhost/v1/events"},
        .output = file});
    REQUIRE(
        wait_for(120s, [&] { return read_file(file).contains(fmt::format("\nid: {}\n", last)); }));
    std::vector<long> ids = event_ids(read_file(file));
    std::erase_if(ids, [&](long id) { return id > last; });
    return ids;
}

}  // namespace

TEST_CASE("gate: 500 messages a second over TLS, through 20 upgrades and 5 kills of the service") {
    GateRack rig("[queue]\ncapacity = 1_000_000\n[priority]\nprotect = false\n",
                 {.modems = 8, .sim_options = {"--service-ms", "10", "--report-ms", "-1"}});
    Listening listening(rig, rig.token("read"), "events");
    const auto begun = std::chrono::steady_clock::now();
    Load load(rig);
    for (int round = 0; round < upgrades + kills; ++round) {
        const std::size_t before = load.accepted();
        REQUIRE(wait_for(60s, [&] { return load.accepted() >= before + 1'500; }));
        if (round % 5 == 4) {
            rig.rack().kill_service();
            rig.rack().launch_service();
        } else {
            rig.upgrade_service();
        }
    }
    const std::size_t before = load.accepted();
    REQUIRE(wait_for(60s, [&] { return load.accepted() >= before + 1'500; }));
    load.end();
    const auto took = std::chrono::steady_clock::now() - begun;
    MESSAGE(load.accepted() << " accepted at "
                            << static_cast<double>(load.accepted()) /
                                   std::chrono::duration<double>(took).count()
                            << "/s; the longest call took " << load.longest().count() << " ms");
    CHECK(load.failed() == 0);

    // Each is a row, and went to a network once at most.
    const auto states = [&] { return rig.rack().states(); };
    REQUIRE(wait_for(300s, [&] {
        auto by_state = states();
        return by_state["queued"] + by_state["sending"] == 0;
    }));
    std::size_t rows = 0;
    for (const auto& [state, count] : states()) {
        rows += static_cast<std::size_t>(count);
    }
    CHECK(rows == load.accepted());
    std::set<std::string> numbers;
    std::size_t twice = 0;
    for (const Submit& submit : rig.rack().submits()) {
        twice += numbers.insert(submit.to).second ? 0 : 1;
    }
    CHECK(twice == 0);
    MESSAGE(numbers.size() << " left, " << states()["uncertain"] << " uncertain");

    // Each event once, in order.
    const std::vector<long> got = listening.ids();
    REQUIRE(got.size() > load.accepted());
    std::vector<long> wanted = ids_of_service(rig, got.front(), got.back());
    CHECK(got.size() == wanted.size());
    CHECK(got == wanted);
    MESSAGE(got.size() << " events");
    CHECK(listening.process().running());
}

}  // namespace smsrack::test
