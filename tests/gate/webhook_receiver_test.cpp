// Requests to receivers that are good, bad and hostile, over real sockets.
#include "firmware-host/gate/webhook/receiver.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "src/base/time_text.hpp"
#include "tests/gate/support/certificates.hpp"
#include "tests/gate/support/socket_server.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fmt/format.h>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::gate;
using namespace std::chrono_literals;
using test::http_answer;
using test::Peer;
using test::SocketServer;

namespace {

NameLookup::Addresses addresses(const std::vector<const char*>& texts) {
    NameLookup::Addresses all;
    for (const char* text : texts) {
        all.push_back(config::ip_address_of(text).value());
    }
    return all;
}

struct Rig {
    explicit Rig(NameLookup::Resolve resolve =
                     [](const std::string&) {
                         return Result<NameLookup::Addresses>(addresses({"127.0.0.1"}));
                     })
        : names(loop, std::move(resolve)) {
        webhook.name = "crm";
        webhook.timeout = 2s;
    }

    /// Sends one event and waits for what becomes of it.
    PostOutcome send(const std::string& url, std::string id = "evt_1") {
        webhook.url = url;
        if (!receiver) {
            receiver.emplace(Receiver::Parts{{curl, loop, clock}, names}, webhook,
                             posting::ReceiverKeys{});
        }
        std::optional<PostOutcome> outcome;
        receiver->send({.id = std::move(id), .body = R"({"type":"webhook.test"})"},
                       [&](PostOutcome came) {
                           outcome = std::move(came);
                           loop.stop();
                       });
        const auto limit = loop.after(20s, [this] { loop.stop(); });
        loop.run();
        REQUIRE(outcome);
        return *outcome;
    }
    PostOutcome send(const SocketServer& server, const std::string& scheme = "http") {
        return send(fmt::format("{}://crm.example:{}/hook", scheme, server.port()));
    }

    const CurlLibrary* curl = *CurlLibrary::load();
    host::SystemClock clock;
    net::Loop loop;
    NameLookup names;
    config::WebhookSettings webhook;
    std::optional<Receiver> receiver;
};

}  // namespace

TEST_CASE("Receiver: sends each event over a connection that it keeps") {
    std::vector<std::string> requests;
    const SocketServer server([&](Peer& peer) {
        for (std::string request = peer.request(); !request.empty(); request = peer.request()) {
            requests.push_back(request);
            peer.write(http_answer(200, " thank\tyou\r\n"));
        }
    });
    Rig rig;
    for (const char* id : {"evt_1", "evt_2", "evt_3"}) {
        const auto outcome =
            rig.send(fmt::format("http://crm.example:{}/hook?key=1", server.port()), id);
        CHECK(outcome.status == 200);
        CHECK(outcome.error.empty());
        CHECK(outcome.answer == "thank you");
        CHECK(outcome.address == "127.0.0.1");
        CHECK(outcome.tls.empty());
    }
    CHECK(server.accepted() == 1);
    REQUIRE(requests.size() == 3);
    const std::string& one = requests.front();
    CHECK(one.starts_with("POST /hook?key=1 HTTP/1.1\r\n"));
    CHECK(one.contains("\r\nUser-Agent: smsrack/"));
    CHECK(one.contains(fmt::format("\r\nHost: crm.example:{}\r\n", server.port())));
    CHECK(one.contains("\r\nwebhook-id: evt_1\r\n"));
    CHECK_FALSE(one.contains("Expect:"));
    CHECK(one.ends_with("\r\n\r\n{\"type\":\"webhook.test\"}"));
}

TEST_CASE("Receiver: an answer counts by its status, and no redirect is followed") {
    struct Case {
        int status;
        std::string more;
        std::optional<std::chrono::seconds> retry_after;
    };
    for (const Case& one : std::vector<Case>{
             {204, "", std::nullopt},
             {302, "Location: http://169.254.169.254/latest/meta-data/\r\n", std::nullopt},
             {307, "Location: file:///etc/passwd\r\n", std::nullopt},
             {410, "", std::nullopt},
             {429, "Retry-After: 120\r\n", 120s},
             {503, "retry-after:  7 \r\n", 7s},
             {503, "Retry-After: Thu, 26 Nov 2099 11:00:00 GMT\r\n", 3'600s},
             {500, "Retry-After: soon\r\n", std::nullopt}}) {
        CAPTURE(one.status);
        const SocketServer server(
            test::answers_with(one.status == 204 ? "HTTP/1.1 204 X\r\n\r\n"
                                                 : http_answer(one.status, "no", one.more)));
        Rig rig;
        const auto outcome = rig.send(server);
        CHECK(outcome.status == one.status);
        CHECK(outcome.retry_after == one.retry_after);
        CHECK(server.accepted() == 1);
    }
}

TEST_CASE("Receiver: hostile receivers cost a bounded time and memory, and are named in words") {
    struct Case {
        std::string what;
        SocketServer::Serve serve;
        int status;
        std::string error;
    };
    const std::string head = "HTTP/1.1 200 OK\r\n";
    for (const Case& one : std::vector<Case>{
             {"never answers", [](Peer& peer) { peer.wait_for_end(); }, 0, "no answer from"},
             {"answers an octet a time",
              [&](Peer& peer) {
                  peer.request();
                  for (const char c : head + "X-Slow: " + std::string(1'000, 'x')) {
                      if (!peer.write({&c, 1})) {
                          return;
                      }
                      std::this_thread::sleep_for(20ms);
                  }
              },
              0, "no answer from"},
             {"a body without end",
              [&](Peer& peer) {
                  peer.request();
                  peer.write(head + "\r\n");
                  const std::string much(64UL * 1024, 'x');
                  while (peer.write(much)) {
                  }
              },
              200, ""},
             {"a body that stops",
              [&](Peer& peer) {
                  peer.request();
                  peer.write(head + "Content-Length: 100\r\n\r\nhalf");
                  peer.wait_for_end();
              },
              200, ""},
             {"a head without end",
              [&](Peer& peer) {
                  peer.request();
                  peer.write(head);
                  while (peer.write("X-More: " + std::string(1'000, 'x') + "\r\n")) {
                  }
              },
              0, "is too long"},
             {"interim answers without end",
              [](Peer& peer) {
                  peer.request();
                  while (peer.write("HTTP/1.1 103 Early Hints\r\n\r\n")) {
                  }
              },
              0, "is too long"},
             {"closes", [](Peer& peer) { peer.request(); }, 0, "closed the connection"},
             {"resets",
              [](Peer& peer) {
                  peer.request();
                  peer.reset();
              },
              0, "closed the connection"},
             {"no HTTP",
              [](Peer& peer) {
                  peer.request();
                  peer.write("220 smtp.example ESMTP\r\n");
                  peer.wait_for_end();
              },
              0, "is not HTTP"},
             {"a part of a head",
              [&](Peer& peer) {
                  peer.request();
                  peer.write(head + "X-Half: ");
              },
              0, ""}}) {
        CAPTURE(one.what);
        const SocketServer server(one.serve);
        Rig rig;
        const auto outcome = rig.send(server);
        CHECK(outcome.status == one.status);
        CAPTURE(outcome.error);
        CHECK(outcome.error.contains(one.error));
        CHECK(outcome.error.empty() == (one.status != 0));
        CHECK(outcome.took < 4s);
    }
}

TEST_CASE("Receiver: a port that nothing listens on") {
    int port = 0;
    {
        const SocketServer server(test::answers_with(http_answer(200)));
        port = server.port();
    }
    Rig rig;
    const auto outcome = rig.send(fmt::format("http://crm.example:{}/", port));
    CHECK(outcome.status == 0);
    CHECK(outcome.error.contains("refuses connections"));
    CHECK(outcome.advice.contains("start the receiver"));
}

TEST_CASE(
    "Receiver: a firewall that drops packets, and a receiver that says nothing, differ in words") {
    // A listener that takes nothing, with as many connections as it may have waiting.
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(listener, 0) == 0);
    REQUIRE(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    std::vector<int> waiting;
    for (int i = 0; i < 4; ++i) {
        waiting.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        (void)::connect(waiting.back(), reinterpret_cast<const sockaddr*>(&address), size);
    }
    Rig rig;
    const auto outcome = rig.send(fmt::format("http://crm.example:{}/", ntohs(address.sin_port)));
    CHECK(outcome.status == 0);
    CAPTURE(outcome.error);
    CHECK(outcome.error.contains("no connection to"));
    for (const int fd : waiting) {
        ::close(fd);
    }
    ::close(listener);
}

TEST_CASE("Receiver: the certificate must be of a known authority, of this name, and valid") {
    const test::TempDir folder;
    const WallTime now = host::SystemClock().wall();
    const test::TestCertificate good(folder.path(), "crm.example", now);
    const test::TestCertificate other(folder.path(), "shop.example", now);
    const test::TestCertificate old(folder.path(), "old.crm.example",
                                    now - std::chrono::days(4'000));
    const test::TestCertificate early(folder.path(), "new.crm.example", now + std::chrono::days(9));
    struct Case {
        std::string what;
        const test::TestCertificate& of;
        std::string ca;
        std::string host;
        std::string error;
    };
    for (const Case& one : std::vector<Case>{
             {"good", good, good.file(), "crm.example", ""},
             {"without `ca`", good, "", "crm.example", "is self-signed"},
             {"other authority", good, other.file(), "crm.example", "is self-signed"},
             {"other name", other, other.file(), "crm.example", "is for another name"},
             {"expired", old, old.file(), "old.crm.example", "has expired"},
             {"not yet valid", early, early.file(), "new.crm.example", "is not valid yet"},
             {"`ca` is no file of certificates", good, "/etc/hostname", "crm.example",
              "is not a file of certificates"}}) {
        CAPTURE(one.what);
        const SocketServer server(test::answers_with(http_answer(200)), one.of.server());
        Rig rig;
        rig.webhook.ca = one.ca;
        const auto outcome = rig.send(fmt::format("https://{}:{}/", one.host, server.port()));
        CHECK(outcome.status == (one.error.empty() ? 200 : 0));
        CAPTURE(outcome.error);
        CHECK(outcome.error.contains(one.error));
        CHECK(outcome.tls.starts_with(one.error.empty() ? "TLSv1.3 TLS_" : ""));
        CHECK(outcome.advice.empty() == one.error.empty());
    }
}

TEST_CASE("Receiver: a port that speaks no TLS, and one that says nothing") {
    const test::TempDir folder;
    const test::TestCertificate good(folder.path(), "crm.example", host::SystemClock().wall());
    const SocketServer plain([](Peer& peer) {
        peer.read();
        peer.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    Rig over_plain;
    CHECK(over_plain.send(plain, "https").error.contains("does not agree on TLS"));
    const SocketServer deaf([](Peer& peer) { peer.wait_for_end(); });
    Rig over_deaf;
    const std::string error = over_deaf.send(deaf, "https").error;
    CAPTURE(error);
    CHECK(error.contains("no TLS with"));
}

TEST_CASE("Receiver: addresses that may not be called are not, whatever name leads there") {
    const SocketServer server(test::answers_with(http_answer(200)));
    for (const char* address :
         {"169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "fe80::1",
          "fd00:ec2::254", "0.0.0.0", "::", "224.0.0.1", "192.0.2.1"}) {
        CAPTURE(address);
        Rig rig([address](const std::string&) {
            return Result<NameLookup::Addresses>(addresses({address}));
        });
        const auto outcome = rig.send(server);
        CHECK(outcome.status == 0);
        CHECK(outcome.error.contains("leads to an address that may not be called"));
        CHECK(outcome.advice.contains("never called"));
    }
    CHECK(server.accepted() == 0);
    // Of several addresses the permitted ones are called.
    Rig rig([](const std::string&) {
        return Result<NameLookup::Addresses>(
            addresses({"169.254.169.254", "127.0.0.1", "0.0.0.0"}));
    });
    CHECK(rig.send(server).status == 200);
}

TEST_CASE("PostClient: libcurl's own idea of an address is checked when its socket is made") {
    const SocketServer server(test::answers_with(http_answer(200)));
    Rig rig;
    rig.webhook.url = fmt::format("http://crm.example:{}/", server.port());
    PostClient client({rig.curl, rig.loop, rig.clock}, rig.webhook,
                      [](const config::IpAddress&) { return false; });
    std::optional<PostOutcome> outcome;
    client.send(
        {.request = {.url = rig.webhook.url}, .addresses = addresses({"127.0.0.1"}), .timeout = 2s},
        [&](PostOutcome came) {
            outcome = std::move(came);
            rig.loop.stop();
        });
    rig.loop.run();
    CHECK(outcome->status == 0);
    CHECK(outcome->error.contains("leads to an address that may not be called"));
    CHECK(server.accepted() == 0);
}

TEST_CASE("Receiver: proxies of the environment have no effect") {
    const SocketServer server(test::answers_with(http_answer(200)));
    for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"}) {
        ::setenv(name, "http://127.0.0.1:1", 1);
    }
    Rig rig;
    CHECK(rig.send(server).status == 200);
    for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"}) {
        ::unsetenv(name);
    }
}

TEST_CASE("Receiver: a proxy of the settings is asked for the receiver by its name") {
    std::vector<std::string> requests;
    const auto serve = [&](const std::string& answer) {
        return [&requests, answer](Peer& peer) {
            requests.push_back(peer.request());
            peer.write(answer);
            peer.wait_for_end();
        };
    };
    std::string looked_up;
    const auto resolve = [&](const std::string& host) {
        looked_up = host;
        return Result<NameLookup::Addresses>(addresses({"127.0.0.1"}));
    };
    ::setenv("no_proxy", "*", 1);
    {
        const SocketServer proxy(serve(http_answer(200, "by proxy")));
        Rig rig(resolve);
        rig.webhook.proxy = fmt::format("http://proxy.example:{}", proxy.port());
        CHECK(rig.send("http://crm.example/hook").answer == "by proxy");
        CHECK(looked_up == "proxy.example");
        CHECK(requests.back().starts_with("POST http://crm.example/hook HTTP/1.1\r\n"));
    }
    {
        // Without a port it is that of http, as the settings say, and the address is the one that was checked.
        Rig rig(resolve);
        rig.webhook.proxy = "http://proxy.example";
        const auto outcome = rig.send("http://crm.example/hook");
        CAPTURE(outcome.error);
        CHECK((outcome.address == "127.0.0.1" || outcome.error.contains("refuses connections")));
    }
    {
        const SocketServer proxy(serve(http_answer(403, "no")));
        Rig rig(resolve);
        rig.webhook.proxy = fmt::format("http://proxy.example:{}", proxy.port());
        const auto outcome = rig.send("https://crm.example/hook");
        CHECK(outcome.status == 0);
        CAPTURE(outcome.error);
        CHECK(outcome.error.contains("refuses with 403"));
        CHECK(requests.back().starts_with("CONNECT crm.example:443 HTTP/1.1\r\n"));
    }
    ::unsetenv("no_proxy");
}

TEST_CASE("Receiver: a name that leads nowhere, and name servers that do not answer") {
    Rig nowhere([](const std::string&) {
        return Result<NameLookup::Addresses>(fail(Errc::not_found, "no"));
    });
    const auto outcome = nowhere.send("http://crm.example/");
    CHECK(outcome.error.contains("there is no address for the name crm.example"));

    std::promise<void> end;
    const std::shared_future<void> ended(end.get_future());
    Rig deaf([ended](const std::string&) {
        ended.wait();
        return Result<NameLookup::Addresses>(fail(Errc::timeout, "late"));
    });
    deaf.webhook.timeout = 1s;
    const auto late = deaf.send("http://crm.example/");
    CHECK(late.error.contains("no name server answers for crm.example"));
    CHECK(late.took >= 1s);
    CHECK(late.took < 2s);
    end.set_value();
}

TEST_CASE("Receiver: a name is looked up again when its receiver has moved") {
    const SocketServer server(test::answers_with(http_answer(200)));
    std::atomic<int> lookups = 0;
    Rig rig([&](const std::string&) {
        // Nothing listens there at first.
        const char* const address = ++lookups == 1 ? "127.0.0.9" : "127.0.0.1";
        return Result<NameLookup::Addresses>(addresses({address}));
    });
    CHECK(rig.send(server).status == 0);
    const auto found = rig.send(server);
    CHECK(found.status == 200);
    CHECK(found.address == "127.0.0.1");
    CHECK(lookups == 2);
    CHECK(rig.send(server).status == 200);
    CHECK(lookups == 2);
}

TEST_CASE("Receiver: what becomes of a request may end its receiver") {
    const SocketServer server(test::answers_with(http_answer(200)));
    Rig rig;
    REQUIRE(rig.send(server).status == 200);
    bool ended = false;
    rig.receiver->send({.id = "evt_2", .body = "{}"}, [&](const PostOutcome&) {
        rig.receiver.reset();
        ended = true;
        rig.loop.stop();
    });
    rig.loop.run();
    CHECK(ended);
}

TEST_CASE("NameLookup: numeric addresses and localhost, by the system") {
    CHECK(NameLookup::resolve_by_system("localhost").has_value());
    const auto none = NameLookup::resolve_by_system("no.such.name.invalid");
    CHECK_FALSE(none);
}
