// HttpServer on TCP: places by address, and a filter before each session.
#include "firmware-host/net/http_server.hpp"
#include "firmware-host/net/loop.hpp"
#include "firmware-host/net/tcp_listener.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "tests/net/client.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// Answers with the address of its client; "/large" with a MiB.
class WhoAsks final : public wire::HttpHandler {
public:
    [[nodiscard]] std::unique_ptr<wire::BodyReader> resume(std::string, const wire::Peer&,
                                                           wire::ResponderPtr responder) override {
        responder->cut();
        return nullptr;
    }
    [[nodiscard]] bool wants_stream(const wire::HttpRequest&) const override { return false; }
    [[nodiscard]] std::size_t answer_bytes(const wire::HttpRequest&) const override { return 1024; }
    void handle(wire::HttpRequest request, wire::ResponderPtr responder) override {
        responder->send({.body = request.path == "/large" ? std::string(1UL << 20, 'x')
                                                          : request.peer->address});
    }
    [[nodiscard]] std::unique_ptr<wire::BodyReader> stream(wire::HttpRequest,
                                                           wire::ResponderPtr) override {
        return nullptr;
    }
    [[nodiscard]] wire::HttpResponse refusal(int status, std::string_view reason) const override {
        return {.status = status, .body = std::string(reason)};
    }
};

std::string other_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        c = static_cast<char>(c ^ 0x20);
    }
    return out;
}

/// Turns a bit of each octet; "HELLO" must come first, and is answered.
class Turned final : public net::OctetFilter {
public:
    Came receive(std::string_view octets, std::string& plain) override {
        if (!ready_) {
            hello_ += octets;
            if (hello_.size() < hello.size()) {
                return Came::more;
            }
            if (!hello_.starts_with(hello)) {
                output_ += "WRONG";
                return Came::broken;
            }
            ready_ = true;
            output_ += "WELCOME";
            plain += other_case(hello_.substr(hello.size()));
            return Came::more;
        }
        plain += other_case(octets);
        return octets.ends_with('!') ? Came::end : Came::more;
    }
    void send(std::string_view plain) override { output_ += other_case(plain); }
    void send_end() override { output_ += "BYE"; }
    [[nodiscard]] std::string_view output() const override { return output_; }
    void written(std::size_t count) override { output_.erase(0, count); }
    [[nodiscard]] bool is_ready() const override { return ready_; }

private:
    static constexpr std::string_view hello = "HELLO";
    std::string hello_;
    std::string output_;
    bool ready_ = false;
};

/// A server on its own thread.
class TcpRig {
public:
    explicit TcpRig(bool filtered, net::PlaceLimits places = {}) {
        std::promise<int> listening;
        thread_ = std::thread([this, filtered, places, &listening] {
            net::Loop loop;
            WhoAsks handler;
            stats::Stats stats;
            net::HttpServerSettings settings{.places = places};
            settings.number_of = [](const std::string& address) {
                return static_cast<std::uint32_t>(std::hash<std::string>{}(address));
            };
            if (filtered) {
                settings.new_filter = [] { return std::make_unique<Turned>(); };
            }
            net::HttpServer server(settings, {loop, handler, stats, clock_, log_});
            const config::ListenAddress any_port{.address = *config::ip_address_of("127.0.0.1")};
            auto listener = net::TcpListener::at(any_port, loop, server.accept());
            loop_ = &loop;
            server_ = &server;
            const std::string place = listener ? (*listener)->place() : "none:0";
            listening.set_value(std::stoi(place.substr(place.find(':') + 1)));
            loop.run();
        });
        port = listening.get_future().get();
        REQUIRE(port != 0);
    }
    TcpRig(const TcpRig&) = delete;
    TcpRig& operator=(const TcpRig&) = delete;
    ~TcpRig() {
        loop_->stop();
        thread_.join();
    }
    [[nodiscard]] std::size_t connections() {
        std::promise<std::size_t> count;
        loop_->post([&] { count.set_value(server_->connections()); });
        return count.get_future().get();
    }

    int port = 0;

private:
    host::SystemClock clock_;
    test::QuietLog log_;
    net::Loop* loop_ = nullptr;
    net::HttpServer* server_ = nullptr;
    std::thread thread_;
};

const std::string request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace

TEST_CASE("HttpServer on TCP: knows the address, and counts its places") {
    TcpRig rig(false, {.connections = 100, .per_account = 2, .kept = 0});
    test::Client one(rig.port, "127.0.0.1");
    test::Client two(rig.port, "127.0.0.1");
    test::Client other(rig.port, "127.0.0.2");
    for (test::Client* client : {&one, &two}) {
        REQUIRE(client->send(request));
        CHECK(client->read_until("127.0.0.1").starts_with("HTTP/1.1 200 OK"));
    }
    REQUIRE(other.send(request));
    CHECK(other.read_until("127.0.0.2").starts_with("HTTP/1.1 200 OK"));
    CHECK(rig.connections() == 3);
    // An idle one of the same address goes for a new one.
    test::Client three(rig.port, "127.0.0.1");
    REQUIRE(three.send(request));
    CHECK(three.read_until("127.0.0.1").starts_with("HTTP/1.1 200 OK"));
    CHECK(rig.connections() == 3);
}

TEST_CASE("HttpServer on TCP: octets pass through the filter, both ways") {
    TcpRig rig(true);
    test::Client client(rig.port, "127.0.0.1");
    REQUIRE(client.send("HEL"));
    REQUIRE(client.send("LO" + other_case(request)));
    CHECK(client.read_until("WELCOME") == "WELCOME");
    CHECK(client.read_until(other_case("127.0.0.1")).starts_with(other_case("HTTP/1.1 200 OK")));
    REQUIRE(client.send(other_case("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")));
    const std::string large = client.read_all();
    CHECK(large.size() > 1UL << 20);
    CHECK(large.ends_with(other_case("x") + "BYE"));
    CHECK(test::wait_for(20s, [&] { return rig.connections() == 0; }));
}

TEST_CASE("HttpServer on TCP: a filter that finds its client wrong says so and closes") {
    TcpRig rig(true);
    test::Client client(rig.port, "127.0.0.1");
    REQUIRE(client.send(request));
    CHECK(client.read_all() == "WRONG");
    // Nor does it wait for ever.
    test::Client silent(rig.port, "127.0.0.1");
    const auto begin = std::chrono::steady_clock::now();
    CHECK(silent.read_all().empty());
    const auto took = std::chrono::steady_clock::now() - begin;
    CHECK(took > 4s);
    CHECK(took < 15s);
}

TEST_CASE("HttpServer on TCP: a client without a place gets its 503 behind the filter") {
    TcpRig rig(true, {.connections = 100, .per_account = 1, .kept = 0});
    test::Client first(rig.port, "127.0.0.1");
    REQUIRE(first.send("HELLO" + other_case("GET / HTTP/1.1\r\n")));  // busy: half a request
    CHECK(first.read_until("WELCOME") == "WELCOME");
    test::Client second(rig.port, "127.0.0.1");
    REQUIRE(second.send("HELLO" + other_case(request)));
    CHECK(second.read_until("WELCOME") == "WELCOME");
    CHECK(other_case(second.read_until(other_case("close some first")))
              .starts_with("HTTP/1.1 503 Service Unavailable"));
    second.hang_up();
    REQUIRE(first.send(other_case("Host: a\r\n\r\n")));
    CHECK(first.read_until(other_case("127.0.0.1")).starts_with(other_case("HTTP/1.1 200 OK")));
    CHECK(test::wait_for(20s, [&] { return rig.connections() == 1; }));
}
