#include "firmware-host/net/flush_queue.hpp"

#include "firmware-host/net/http_connection.hpp"
#include "firmware-host/net/listener.hpp"
#include "tests/net/client.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr const char* one_request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr std::size_t budget_bytes = 1UL << 20;

/// Answers each request at once.
class AnswersAtOnce final : public wire::HttpHandler {
public:
    [[nodiscard]] bool wants_stream(const wire::HttpRequest&) const override { return false; }
    [[nodiscard]] std::size_t answer_bytes(const wire::HttpRequest&) const override { return 0; }
    void handle(wire::HttpRequest, wire::ResponderPtr responder) override {
        ++handled;
        responder->send({.body = "answer"});
    }
    [[nodiscard]] std::unique_ptr<wire::BodyReader> stream(wire::HttpRequest,
                                                           wire::ResponderPtr) override {
        return nullptr;
    }
    [[nodiscard]] std::unique_ptr<wire::BodyReader> resume(std::string, const wire::Peer&,
                                                           wire::ResponderPtr) override {
        return nullptr;
    }
    [[nodiscard]] wire::HttpResponse refusal(int, std::string_view) const override { return {}; }
    int handled = 0;
};

/// A server of which the test runs the queue.
class FlushBench final : public net::ConnectionOwner {
public:
    FlushBench() { REQUIRE(listener_.listen()); }
    FlushBench(const FlushBench&) = delete;
    FlushBench& operator=(const FlushBench&) = delete;
    ~FlushBench() override { close_all(); }

    void close_all() {
        for (net::HttpConnection* const one : std::exchange(connections, {})) {
            one->close();
        }
    }
    /// What comes from clients is read, and answered.
    void turn() {
        const auto end = loop_.after(20ms, [this] { loop_.stop(); });
        loop_.run();
    }
    /// Its connection is accepted, and what it sends will be read.
    [[nodiscard]] std::unique_ptr<test::Client> client() {
        auto made = std::make_unique<test::Client>(path_);
        turn();
        queue.run();
        return made;
    }

    // -- ConnectionOwner
    void needs_flush(net::HttpConnection& connection) override { queue.add(connection); }
    void note(net::HttpConnection&, wire::SessionNote) override {}
    void gone(net::HttpConnection& connection) override {
        connections.erase(&connection);
        queue.forget(connection);
        on_gone();
    }
    [[nodiscard]] std::span<char> read_buffer(std::size_t bytes_max) override {
        return std::span(buffer_).first(std::min(buffer_.size(), bytes_max));
    }
    [[nodiscard]] bool is_privileged(const wire::Peer&) const override { return false; }
    [[nodiscard]] wire::Peer known_peer(wire::Peer peer) const override { return peer; }
    [[nodiscard]] net::OctetFilterPtr new_filter() override { return nullptr; }

    AnswersAtOnce handler;
    wire::SessionBudget budget{budget_bytes};
    std::vector<SteadyTime> armed;
    std::function<void()> on_gone = [] {};
    net::FlushQueue queue{budget, [this](SteadyTime deadline) { armed.push_back(deadline); }};
    std::set<net::HttpConnection*> connections;
    test::ManualClock clock;
    const wire::HttpLimits limits;

private:
    void accept(uv_stream_s& waits) {
        auto* const made = net::HttpConnection::accept(*loop_.raw(), waits,
                                                       {.owner = *this,
                                                        .limits = limits,
                                                        .handler = handler,
                                                        .clock = clock,
                                                        .budget = budget});
        REQUIRE(made != nullptr);
        connections.insert(made);
        made->flush_wanted = true;
        queue.add(*made);
    }

    test::TempDir dir_;
    const std::string path_ = dir_.path() / "s";
    test::QuietLog log_;
    std::array<char, 4096> buffer_{};
    net::Loop loop_;
    net::Listener listener_{
        {.path = path_}, loop_, log_, [this](uv_stream_s& waits) { accept(waits); }};
};

}  // namespace

TEST_CASE("FlushQueue: what changed twice is flushed once, when the queue runs") {
    FlushBench bench;
    const auto client = bench.client();
    bench.armed.clear();
    client->send(std::string(one_request) + one_request);
    bench.turn();
    CHECK(bench.handler.handled == 2);
    CHECK(bench.armed.empty());
    bench.queue.run();
    CHECK(bench.armed == std::vector<SteadyTime>{bench.clock.steady() + bench.limits.idle_time});
    CHECK(client->read_until("answer").starts_with("HTTP/1.1 200"));
    CHECK(client->read_until("answer").starts_with("HTTP/1.1 200"));
    bench.queue.run();
    CHECK(bench.armed.size() == 1);
}

TEST_CASE("FlushQueue: a connection that is closed by the flush of another one is not flushed") {
    FlushBench bench;
    const auto gone = bench.client();
    const auto other = bench.client();
    for (test::Client* const client : {gone.get(), other.get()}) {
        client->send(one_request);
        bench.turn();
    }
    REQUIRE(bench.handler.handled == 2);
    gone->hang_up();  // so its answer can't be written
    bench.armed.clear();
    bench.on_gone = [&] { bench.close_all(); };
    bench.queue.run();
    CHECK(bench.armed.empty());
    bench.turn();
    CHECK(other->read_all().empty());
}

TEST_CASE("FlushQueue: connections without room are read again as soon as memory is released") {
    FlushBench bench;
    constexpr std::uint32_t another_account = 4'000'000;
    wire::SessionBudget::Share other(bench.budget, another_account, true);
    other.hold(budget_bytes);
    const auto client = bench.client();
    client->send(one_request);
    bench.turn();
    bench.queue.run();
    bench.turn();
    CHECK(bench.handler.handled == 0);
    other.hold(0);
    bench.queue.run();
    bench.turn();
    CHECK(bench.handler.handled == 1);
}
