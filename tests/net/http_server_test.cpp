#include "firmware-host/net/http_server.hpp"

#include "firmware-host/net/loop.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "tests/net/client.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// Answers with what it was sent; "/later" from another thread; "/endless" never stops; "/who" says who asks.
class Echo final : public wire::HttpHandler {
public:
    [[nodiscard]] std::unique_ptr<wire::BodyReader> resume(std::string, const wire::Peer&,
                                                           wire::ResponderPtr responder) override {
        responder->cut();
        return nullptr;
    }
    explicit Echo(net::Loop& loop) : loop_(loop) {}
    [[nodiscard]] bool wants_stream(const wire::HttpRequest&) const override { return false; }
    [[nodiscard]] std::size_t answer_bytes(const wire::HttpRequest&) const override { return 1024; }
    void handle(wire::HttpRequest request, wire::ResponderPtr responder) override {
        if (request.path == "/later") {
            std::thread([this, responder] {
                loop_.post([responder] { responder->send({.body = "later"}); });
            }).detach();
        } else if (request.path == "/endless") {
            responder->on_closed([this] { ++closed; });
            responder->begin({.content_type = "text/plain"}, 15s, ":");
            responder->write(std::string(1 << 20, 'x'));
            ++streams;
        } else if (request.path == "/events") {
            responder->on_closed([this] { ++closed; });
            responder->begin({.content_type = "text/plain", .body = "begun"}, 15s, ":");
            event_stream = responder;
            ++streams;
        } else if (request.path == "/who") {
            responder->send({.body = std::to_string(request.peer->uid)});
        } else if (request.path != "/never") {
            responder->send({.body = request.path + request.body});
        }
    }
    [[nodiscard]] std::unique_ptr<wire::BodyReader> stream(wire::HttpRequest,
                                                           wire::ResponderPtr) override {
        return nullptr;
    }
    [[nodiscard]] wire::HttpResponse refusal(int status, std::string_view reason) const override {
        return {.status = status, .body = std::string(reason)};
    }
    wire::ResponderPtr event_stream;  // the last one, of the loop
    std::atomic<int> streams = 0;
    std::atomic<int> closed = 0;

private:
    net::Loop& loop_;
};

/// A server on its own thread.
class Rig {
public:
    explicit Rig(net::HttpServerSettings settings = {}) {
        dir_ = std::filesystem::temp_directory_path() / ("smsrack-net-" + std::to_string(getpid()));
        std::filesystem::create_directories(dir_);
        path = dir_ / "s";
        settings.socket_path = path;
        std::promise<bool> listening;
        thread_ = std::thread([this, settings, &listening] {
            net::Loop loop;
            Echo echo(loop);
            net::HttpServer server(settings, {loop, echo, stats, clock_, log_});
            loop_ = &loop;
            server_ = &server;
            handler = &echo;
            listening.set_value(server.listen().has_value());
            loop.run();
        });
        REQUIRE(listening.get_future().get());
    }
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;
    ~Rig() {
        loop_->stop();
        thread_.join();
        std::filesystem::remove_all(dir_);
    }

    /// Runs on the loop; gives what it gives.
    template <typename Work>
    auto on_loop(Work work) {
        std::promise<decltype(work(*server_))> result;
        loop_->post([&] { result.set_value(work(*server_)); });
        return result.get_future().get();
    }
    void post(std::function<void(net::HttpServer&)> work) {
        loop_->post([this, work = std::move(work)] { work(*server_); });
    }
    /// Waits, at most 20 s, until it is so.
    static bool soon(const std::function<bool()>& is_so) { return test::wait_for(20s, is_so); }

    std::string path;
    stats::Stats stats;
    Echo* handler = nullptr;

private:
    std::filesystem::path dir_;
    host::SystemClock clock_;
    test::QuietLog log_;
    net::Loop* loop_ = nullptr;
    net::HttpServer* server_ = nullptr;
    std::thread thread_;
};

std::string get(const std::string& path, const std::string& more = {}) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + more + "\r\n";
}

}  // namespace

TEST_CASE("HttpServer: answers at once and from another thread, on one connection") {
    Rig rig;
    test::Client client(rig.path);
    REQUIRE(client.connected());
    for (int i = 0; i < 3; ++i) {
        REQUIRE(client.send(get("/now") + get("/later")));
        CHECK(client.read_until("\r\n\r\n/now").starts_with("HTTP/1.1 200 OK\r\n"));
        CHECK(client.read_until("\r\n\r\nlater").starts_with("HTTP/1.1 200 OK\r\n"));
    }
    CHECK(rig.stats.value(stats::Counter::http_requests) == 6);
    CHECK(rig.stats.value(stats::Counter::http_connections) == 1);
}

TEST_CASE("HttpServer: the socket has its mode, says who asks, and goes with the server") {
    std::string path;
    {
        Rig rig({.socket_mode = 0600});
        path = rig.path;
        struct stat found {};
        REQUIRE(stat(path.c_str(), &found) == 0);
        CHECK((found.st_mode & 0777U) == 0600U);
        test::Client client(path);
        client.send(get("/who", "Connection: close\r\n"));
        CHECK(client.read_all().ends_with("\r\n\r\n" + std::to_string(getuid())));
    }
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("HttpServer: a stale socket is replaced, a live one and another file are not") {
    Rig rig;
    net::Loop loop;
    Echo echo(loop);
    host::SystemClock clock;
    test::QuietLog log;
    const auto listen_at = [&](const std::string& path) {
        net::HttpServer server({.socket_path = path}, {loop, echo, rig.stats, clock, log});
        const auto listening = server.listen();
        return listening ? std::string("listens") : std::string(errc_name(listening.error().code));
    };
    CHECK(listen_at(rig.path) == "busy");
    test::Client client(rig.path);
    CHECK(client.connected());

    const std::string stale = rig.path + "-stale";
    const int left_behind = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, stale.c_str(), stale.size() + 1);
    REQUIRE(bind(left_behind, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(left_behind);
    CHECK(listen_at(stale) == "listens");

    const std::string file = rig.path + "-file";
    std::ofstream(file) << "precious";
    CHECK(listen_at(file) == "bad_config");
    CHECK(std::filesystem::file_size(file) == 8);
    CHECK(listen_at(rig.path + "-no/such/folder") == "internal");
    CHECK(listen_at(std::string(200, 'x')) == "bad_config");
}

TEST_CASE("HttpServer: a body of 5 MiB gets its 413 read, and the server continues") {
    Rig rig;
    test::Client client(rig.path);
    client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5242880\r\n\r\n");
    client.send(std::string(5 << 20, 'x'));
    const std::string answer = client.read_all();
    CHECK(answer.starts_with("HTTP/1.1 413 Content Too Large\r\n"));
    test::Client next(rig.path);
    next.send(get("/next"));
    CHECK(next.read_until("/next").starts_with("HTTP/1.1 200"));
}

TEST_CASE("HttpServer: slow clients are answered 408, cut off, and counted") {
    wire::HttpLimits limits;
    limits.head_time = 1s;
    limits.body_time = 1s;
    limits.write_time = 1s;
    limits.idle_time = 3s;  // longer: on a busy machine the first octets of the others come late
    Rig rig({.limits = limits});
    struct Case {
        std::string so;
        std::string sent;
        std::string answer;
    };
    for (const Case& it : {
             Case{"half a head", "GET / HTTP/1.1\r\nHo", "HTTP/1.1 408"},
             Case{"half a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
                  "HTTP/1.1 408"},
             Case{"nothing at all", "", ""},
         }) {
        CAPTURE(it.so);
        test::Client client(rig.path);
        client.send(it.sent);
        CHECK(client.read_all().starts_with(it.answer));
    }
    CHECK(rig.stats.value(stats::Counter::http_timeouts) == 2);
    test::Client never_reads(rig.path);
    never_reads.send(get("/endless"));
    CHECK(Rig::soon([&] { return rig.handler->closed == 1; }));
    CHECK(rig.stats.value(stats::Counter::http_timeouts) == 3);
}

TEST_CASE("HttpServer: a client that goes away in the middle leaves nothing behind") {
    Rig rig;
    for (int i = 0; i < 50; ++i) {
        test::Client client(rig.path);
        client.send(i % 2 == 0 ? get("/endless") : get("/never"));
        if (i % 4 == 0) {
            client.read_until("\r\n\r\n");
        }
    }
    test::Client client(rig.path);
    client.send(get("/now"));
    CHECK(client.read_until("/now").starts_with("HTTP/1.1 200"));
    CHECK(Rig::soon([&] { return rig.handler->streams == rig.handler->closed; }));
}

TEST_CASE("HttpServer: an account that has all its places busy is refused, and told why") {
    Rig rig({.places = {.connections = 2, .per_account = 2, .kept = 0}});
    test::Client one(rig.path);
    test::Client two(rig.path);
    one.send(get("/now") + get("/never"));
    two.send(get("/now") + get("/never"));
    CHECK(one.read_until("\r\n\r\n/now").starts_with("HTTP/1.1 200"));
    CHECK(two.read_until("\r\n\r\n/now").starts_with("HTTP/1.1 200"));
    test::Client three(rig.path);
    const std::string answer = three.read_all();
    CHECK(answer.starts_with("HTTP/1.1 503"));
    CHECK(answer.contains("too many connections"));
    CHECK(rig.stats.value(stats::Counter::http_connections_refused) == 1);
}

TEST_CASE("HttpServer: where all places are taken, the idlest connection goes for the newcomer") {
    Rig rig({.places = {.connections = 2, .per_account = 2, .kept = 0}});
    test::Client busy(rig.path);
    busy.send(get("/now") + get("/never"));
    busy.read_until("/now");
    test::Client idle(rig.path);
    idle.send(get("/now"));
    idle.read_until("/now");
    test::Client newcomer(rig.path);
    newcomer.send(get("/new"));
    CHECK(newcomer.read_until("\r\n\r\n/new").starts_with("HTTP/1.1 200"));
    CHECK(idle.read_all().empty());
    CHECK(rig.stats.value(stats::Counter::http_connections_dropped) == 1);
    CHECK(rig.stats.value(stats::Counter::http_connections_refused) == 0);
}

TEST_CASE("HttpServer: an administrator finds a place that others can't take") {
    std::atomic<bool> administrator = false;
    Rig rig({.places = {.connections = 3, .per_account = 3, .kept = 1},
             .is_privileged = [&](const wire::Peer&) { return administrator.load(); }});
    test::Client one(rig.path);
    test::Client two(rig.path);
    for (test::Client* client : {&one, &two}) {
        client->send(get("/now") + get("/never"));
        client->read_until("/now");
    }
    CHECK(test::Client(rig.path).read_all().starts_with("HTTP/1.1 503"));
    administrator = true;
    test::Client root(rig.path);
    root.send(get("/root"));
    CHECK(root.read_until("\r\n\r\n/root").starts_with("HTTP/1.1 200"));
}

TEST_CASE("HttpServer: clients that read nothing hold the memory that they may, and no more") {
    Rig rig({.memory_bytes = 4UL << 20});
    std::vector<std::unique_ptr<test::Client>> clients;
    std::string requests;
    for (int i = 0; i < 64; ++i) {
        requests += "POST /" + std::string(1000, 'x') +
                    " HTTP/1.1\r\nHost: a\r\nContent-Length: 40000\r\n\r\n" +
                    std::string(40'000, 'y');
    }
    for (int i = 0; i < 50; ++i) {
        clients.push_back(std::make_unique<test::Client>(rig.path));
        clients.back()->send_some(requests);
    }
    const auto held = [&] {
        return rig.on_loop([](net::HttpServer& it) { return it.memory_held(); });
    };
    CHECK(Rig::soon([&] { return held() > 1UL << 20; }));
    CHECK(held() <= 2UL << 20);  // half: others find room
}

TEST_CASE("HttpServer: draining lets requests in flight be answered, and says when it is over") {
    Rig rig;
    test::Client idle(rig.path);
    idle.send(get("/now"));
    idle.read_until("/now");
    test::Client busy(rig.path);
    test::Client stream(rig.path);
    stream.send(get("/endless"));
    stream.read_until("\r\n\r\n");
    busy.send(get("/now"));
    busy.read_until("/now");
    busy.send(get("/later"));
    std::promise<void> drained;
    rig.post([&](net::HttpServer& server) { server.drain([&] { drained.set_value(); }); });
    CHECK(idle.read_all().empty());
    stream.read_all();
    busy.read_all();
    CHECK(drained.get_future().wait_for(20s) == std::future_status::ready);
    CHECK_FALSE(test::Client(rig.path).connected());
}

TEST_CASE(
    "HttpServer: a client that closes an endless answer is noticed at once, long before the "
    "filler") {
    Rig rig;
    for (const char* const more : {"", "Connection: close\r\n"}) {
        CAPTURE(more);
        const int before = rig.handler->closed;
        {
            test::Client client(rig.path);
            REQUIRE(client.send(get("/events", more)));
            CHECK(client.read_until("begun").starts_with("HTTP/1.1 200 OK\r\n"));
        }
        CHECK(test::wait_for(5s, [&] { return rig.handler->closed == before + 1; }));
    }
}

TEST_CASE("HttpServer: a client that only sends nothing more still gets an endless answer") {
    Rig rig;
    test::Client client(rig.path);
    REQUIRE(client.send(get("/events")));
    CHECK(client.read_until("begun").starts_with("HTTP/1.1 200 OK\r\n"));
    client.end_sending();
    // The connection's end of input is read before the answer to another connection that comes later.
    test::Client later(rig.path);
    REQUIRE(later.send(get("/now")));
    CHECK(later.read_until("/now").contains("200 OK"));
    rig.post([&](net::HttpServer&) { rig.handler->event_stream->write("more"); });
    CHECK(client.read_until("more").ends_with("more"));
    CHECK(rig.handler->closed == 0);
}
