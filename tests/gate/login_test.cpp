// A browser at the gate: it logs in, calls with its cookie, and is logged out; the service is one that says what it was shown.
#include "firmware-host/gate/gate_handler.hpp"
#include "firmware-host/gate/page/page_files.hpp"
#include "src/wire/json.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <list>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace smsrack;
using namespace smsrack::gate;
using namespace std::chrono_literals;

namespace {

/// Answers each request with the Smsrack-Token that it has, "none" if it has none; a stream of events begins and stays open.
class TokenEcho {
public:
    explicit TokenEcho(const std::string& path)
        : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
        REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
                0);
        REQUIRE(::listen(listener_, 8) == 0);
        thread_ = std::jthread([this] {
            for (int fd = accept(); fd >= 0; fd = accept()) {
                calls_.emplace_back([this, fd] { serve(fd); });
            }
        });
    }
    TokenEcho(const TokenEcho&) = delete;
    TokenEcho& operator=(const TokenEcho&) = delete;
    ~TokenEcho() {
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        calls_.clear();
        ::close(listener_);
    }

    /// Answers the next request with 503.
    void refuse_next() { refuses_ = true; }

private:
    int accept() const { return ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); }

    void serve(int fd) {
        std::string request;
        std::array<char, 4096> octets{};
        while (!request.contains("\r\n\r\n")) {
            const ssize_t got = ::recv(fd, octets.data(), octets.size(), 0);
            if (got <= 0) {
                break;
            }
            request.append(octets.data(), static_cast<std::size_t>(got));
        }
        constexpr std::string_view field = "smsrack-token: ";
        const std::size_t at = request.find(field);
        const std::string token =
            at == std::string::npos
                ? "none"
                : request.substr(at + field.size(), request.find('\r', at) - at - field.size());
        const bool streams = request.starts_with("GET /v1/events");
        const std::string body = fmt::format(R"({{"token":"{}"}})", token);
        const std::string answer =
            refuses_.exchange(false) ? "HTTP/1.1 503 Service Unavailable\r\nContent-Type: "
                                       "application/problem+json\r\nContent-Length: "
                                       "2\r\nConnection: close\r\n\r\n{}"
            : streams ? "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nSmsrack-Place: "
                        "1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:\n\n\r\n"
                      : fmt::format(
                            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-"
                            "Length: {}\r\nConnection: close\r\n\r\n{}",
                            body.size(), body);
        (void)!::write(fd, answer.data(), answer.size());
        if (streams) {
            (void)::recv(fd, octets.data(), octets.size(), 0);  // until the gate leaves
        }
        ::close(fd);
    }

    const int listener_;
    std::atomic<bool> refuses_ = false;
    std::list<std::jthread> calls_;
    std::jthread thread_;
};

class Browser final : public wire::Responder {
public:
    explicit Browser(net::Loop& loop) : loop_(loop) {}
    void send(wire::HttpResponse response) override {
        answer = std::move(response);
        finish();
    }
    void begin(wire::HttpResponse response, std::chrono::seconds, std::string) override {
        answer = std::move(response);
        loop_.stop();
    }
    void write(std::string_view) override {}
    void end() override { finish(); }
    void cut() override {
        was_cut = true;
        finish();
    }
    void revoke() override { cut(); }
    [[nodiscard]] std::size_t backlog() const override { return 0; }
    void on_drained(Job) override {}
    [[nodiscard]] bool closed() const override { return false; }
    void on_closed(Job then) override { closed_ = std::move(then); }
    void resumable(std::move_only_function<std::string()>) override {}
    void mark_front(std::string) override {}
    void pause_body(bool) override {}
    void holds(std::size_t) override {}
    [[nodiscard]] std::size_t room() const override { return 1UL << 20; }

    [[nodiscard]] std::string header(std::string_view name) const {
        const auto found = std::ranges::find(answer.headers, name, &wire::HeaderField::name);
        return found == answer.headers.end() ? "" : found->value;
    }
    /// Ends the connection.
    void leave() {
        if (auto closed = std::exchange(closed_, nullptr)) {
            closed();
        }
    }
    /// What the service was shown.
    [[nodiscard]] std::string token() const {
        return wire::parse_json(answer.body).value().at("token").get<std::string>();
    }

    wire::HttpResponse answer;
    bool was_cut = false;

private:
    void finish() {
        closed_ = nullptr;  // it holds the call
        loop_.stop();
    }

    net::Loop& loop_;
    Job closed_;
};
using BrowserPtr = std::shared_ptr<Browser>;
using Fields = std::vector<wire::HeaderField>;
using Params = std::vector<std::pair<std::string, std::string>>;

const wire::Peer peer{.address = "192.0.2.7"};

class CountedRandom final : public Random {
public:
    [[nodiscard]] std::uint64_t next() override { return ++count_; }

private:
    std::uint64_t count_ = 0;
};

const std::string shop = "smsrack_" + std::string(64, 'a');
const std::string other = "smsrack_" + std::string(64, 'b');
const Fields page{{"content-type", "application/json"}, {"sec-fetch-site", "same-origin"}};

struct GateRig {
    explicit GateRig(bool tls = false, bool is_own = false)
        : handler_is_own(is_own),
          answers{.log = log,
                  .clock = clock,
                  .metrics = metrics,
                  .tls = tls,
                  .origins = {"https://site.example"}},
          cookie(SessionCookie::over(tls)),
          handler({link, answers, book, addresses, wrong, logins, random, [] { return 0UL; },
                   [] { return std::string(); }, is_own}) {
        set_tokens({shop, other});
    }

    LoginParts login_parts() {
        return {.answers = answers,
                .tokens = book,
                .wrong = wrong,
                .cookie = cookie,
                .idle_max = 12h,
                .is_own = handler_is_own,
                .new_secret = [this] { return fmt::format("{:064x}", ++secrets); }};
    }

    void set_tokens(const std::vector<std::string>& tokens) {
        std::vector<access::Token> all;
        for (const std::string& token : tokens) {
            all.push_back(
                {.name = token == shop ? "shop" : "other", .hash = access::token_hash(token)});
        }
        book.set(std::move(all));
        logins.sweep();
        handler.end_streams();
    }

    BrowserPtr call(const std::string& method, const std::string& at, Fields headers = {},
                    const std::string& body = {}, Params params = {}) {
        auto browser = std::make_shared<Browser>(loop);
        handler.handle({.method = method,
                        .path = at,
                        .params = std::move(params),
                        .headers = std::move(headers),
                        .body = body,
                        .peer = &peer},
                       browser);
        while (browser->answer.headers.empty()) {
            loop.run();  // until the service has answered; an earlier stop() ends it at once
        }
        return browser;
    }
    BrowserPtr log_in(const std::string& token) {
        return call("POST", "/v1/session", page, fmt::format(R"({{"token":"{}"}})", token));
    }
    /// The field of a request after the login.
    wire::HeaderField cookie_of(const BrowserPtr& login) const {
        const std::string set = login->header("Set-Cookie");
        return {"cookie", set.substr(0, set.find(';'))};
    }
    static Fields with(const wire::HeaderField& cookie, Fields more = {}) {
        more.push_back(cookie);
        return more;
    }

    const bool handler_is_own;
    test::TempDir folder;
    std::string path = (folder.path() / "s").string();
    TokenEcho service{path};
    net::Loop loop;
    test::ManualClock clock;
    test::QuietLog log;
    GateMetrics metrics;
    Upstream upstream{loop, path};
    const ServiceLink link{upstream, loop, clock, metrics};
    const AnswerParts answers;
    access::TokenBook book;
    const ClientAddresses addresses{{}, "key"};
    CountedRandom random;
    WrongCallers wrong{answers, addresses};
    const SessionCookie cookie;
    int secrets = 0;
    Logins logins{login_parts()};
    GateHandler handler;
};

}  // namespace

TEST_CASE("gate: a browser logs in with a token, and calls with a cookie from then on") {
    GateRig rig;
    const auto login = rig.log_in(shop);
    CHECK(login->answer.status == 200);
    CHECK(login->token() == access::token_hash(shop));
    const std::string set = login->header("Set-Cookie");
    CHECK(set.starts_with("smsrack=" + std::string(63, '0') + "1; Path=/; "));
    CHECK(set.ends_with("; HttpOnly; SameSite=Strict"));
    const auto cookie = rig.cookie_of(login);

    const auto read = rig.call("GET", "/v1/messages", {cookie});
    CHECK(read->token() == access::token_hash(shop));
    CHECK(read->header("Set-Cookie").empty());
    CHECK(rig.call("GET", "/v1/messages")->token() == "-");
    CHECK(
        rig.call("GET", "/v1/messages", {{"cookie", "smsrack=" + std::string(64, '7')}})->token() ==
        "-");
    // A token in the header counts more than the cookie.
    CHECK(
        rig.call("GET", "/v1/messages", {cookie, {"authorization", "Bearer " + other}})->token() ==
        access::token_hash(other));
}

TEST_CASE("gate: over TLS the cookie is for this host alone, and never goes without TLS") {
    GateRig rig(true);
    const auto login = rig.log_in(shop);
    CHECK(login->header("Set-Cookie").starts_with("__Host-smsrack="));
    CHECK(login->header("Set-Cookie").ends_with("; SameSite=Strict; Secure"));
    CHECK(login->header("Strict-Transport-Security") == "max-age=31536000");
    CHECK(rig.call("GET", "/v1/messages", {rig.cookie_of(login)})->token() ==
          access::token_hash(shop));
}

TEST_CASE("gate: with a cookie only the page changes something") {
    GateRig rig;
    const auto cookie = rig.cookie_of(rig.log_in(shop));
    for (const char* method : {"POST", "DELETE"}) {
        CAPTURE(method);
        CHECK(rig.call(method, "/v1/pause", {cookie})->answer.status == 403);
        CHECK(
            rig.call(method, "/v1/pause", rig.with(cookie, {{"content-type", "application/json"}}))
                ->answer.status == 403);
        CHECK(rig.call(method, "/v1/pause", rig.with(cookie, {page[1]}))->answer.status == 403);
        CHECK(rig.call(method, "/v1/pause", rig.with(cookie, page))->token() ==
              access::token_hash(shop));
    }
    CHECK(rig.call("DELETE", "/v1/session", {cookie})->answer.status == 403);
    CHECK(
        rig.handler.stream(
            {.method = "POST", .path = "/v1/triggers/a/events", .headers = {cookie}, .peer = &peer},
            std::make_shared<Browser>(rig.loop)) == nullptr);
    // With a token any program may.
    CHECK(rig.call("POST", "/v1/pause", {{"authorization", "Bearer " + shop}})->answer.status ==
          200);
}

TEST_CASE("gate: with a cookie only the page listens as a client with a name, which acknowledges") {
    GateRig rig;
    const auto cookie = rig.cookie_of(rig.log_in(shop));
    const wire::HeaderField name{"smsrack-client", "shop"};
    const auto status_of = [&](Fields fields, Params params = {}) {
        const auto stream = rig.call("GET", "/v1/events", std::move(fields), {}, std::move(params));
        stream->leave();
        return stream->answer.status;
    };
    CHECK(status_of({cookie}, {{"client", "shop"}, {"clear", "true"}}) == 403);
    CHECK(status_of({cookie, name}) == 403);
    for (const char* site : {"same-site", "cross-site", "none"}) {
        CAPTURE(site);
        CHECK(status_of({cookie, name, {"sec-fetch-site", site}}) == 403);
    }
    CHECK(status_of({cookie, {"sec-fetch-site", "same-origin"}}, {{"client", "shop"}}) == 200);
    CHECK(status_of({cookie}) == 200);
    CHECK(status_of({{"authorization", "Bearer " + shop}}, {{"client", "shop"}}) == 200);
}

TEST_CASE("gate: a login is for a token that counts, and too many wrong ones make wait") {
    GateRig rig;
    CHECK(rig.log_in("smsrack_" + std::string(64, 'c'))->answer.status == 401);
    CHECK(rig.log_in("word")->answer.status == 401);
    CHECK(rig.log_in("word")->answer.status == 401);
    for (const char* body :
         {"", "[]", "{}", R"({"token":1})", R"({"token":"a","code":"b"})", R"({"word":"a"})"}) {
        CAPTURE(body);
        CHECK(rig.call("POST", "/v1/session", page, body)->answer.status == 400);
    }
    for (int i = 3; i < 10; ++i) {
        CHECK(rig.log_in("word")->answer.status == 401);
    }
    CHECK(rig.log_in("word")->answer.status == 401);
    const auto waits = rig.log_in(shop);
    CHECK(waits->answer.status == 429);
    CHECK(waits->header("Retry-After") == "60");
    CHECK(rig.call("GET", "/v1/messages", {{"authorization", "Bearer " + shop}})->answer.status ==
          429);
    rig.clock.advance(1min);
    CHECK(rig.log_in(shop)->answer.status == 200);
}

TEST_CASE("gate: a page of another site cannot log a browser in; a program may log in") {
    GateRig rig;
    const std::string body = fmt::format(R"({{"token":"{}"}})", shop);
    CHECK(rig.call("POST", "/v1/session", {{"content-type", "text/plain"}, page[1]}, body)
              ->answer.status == 403);
    CHECK(rig.call("POST", "/v1/session", {page[0], {"origin", "https://evil"}}, body)
              ->answer.status == 403);
    CHECK(rig.call("POST", "/v1/session", {}, body)->answer.status == 200);
}

TEST_CASE("gate: a login that was unused for session_h is over") {
    GateRig rig;
    const auto cookie = rig.cookie_of(rig.log_in(shop));
    rig.clock.advance(11h);
    CHECK(rig.call("GET", "/v1/messages", {cookie})->token() == access::token_hash(shop));
    rig.clock.advance(11h);
    CHECK(rig.call("GET", "/v1/messages", {cookie})->token() == access::token_hash(shop));
    rig.clock.advance(12h);
    CHECK(rig.call("GET", "/v1/messages", {cookie})->token() == "-");
    CHECK(rig.call("POST", "/v1/pause", rig.with(cookie, page))->token() == "-");
}

TEST_CASE("gate: a token that is revoked ends its logins and their streams, and no others") {
    GateRig rig;
    const auto cookie = rig.cookie_of(rig.log_in(shop));
    const auto stays = rig.cookie_of(rig.log_in(other));
    const auto stream = rig.call("GET", "/v1/events", {cookie});
    CHECK(stream->answer.status == 200);
    rig.set_tokens({other});
    CHECK(stream->was_cut);
    CHECK(rig.call("GET", "/v1/messages", {cookie})->token() == "-");
    CHECK(rig.call("GET", "/v1/messages", {stays})->token() == access::token_hash(other));
    rig.set_tokens({shop, other});
    CHECK(rig.call("GET", "/v1/messages", {cookie})->token() == "-");  // it stays over
}

TEST_CASE("gate: a logout ends the login and its streams, and forgets the cookie") {
    GateRig rig;
    const auto cookie = rig.cookie_of(rig.log_in(shop));
    const auto second = rig.cookie_of(rig.log_in(shop));
    const auto stream = rig.call("GET", "/v1/events", {cookie});
    const auto out = rig.call("DELETE", "/v1/session", rig.with(cookie, page));
    CHECK(out->answer.status == 200);
    CHECK(out->header("Set-Cookie").starts_with("smsrack=; Path=/; Max-Age=0; "));
    CHECK(stream->was_cut);
    CHECK(rig.call("GET", "/v1/messages", {cookie})->token() == "-");
    CHECK(rig.call("GET", "/v1/messages", {second})->token() == access::token_hash(shop));
    CHECK(rig.call("DELETE", "/v1/session", {{"authorization", "Bearer " + shop}})->answer.status ==
          404);
}

TEST_CASE("gate: a login ends the one that the browser had, and its streams") {
    GateRig rig;
    const auto cookie = rig.cookie_of(rig.log_in(shop));
    const auto stays = rig.cookie_of(rig.log_in(shop));
    const auto stream = rig.call("GET", "/v1/events", {cookie});
    const auto body = fmt::format(R"({{"token":"{}"}})", other);
    // One that fails ends nothing.
    CHECK(rig.call("POST", "/v1/session", rig.with(cookie, page), R"({"token":"word"})")
              ->answer.status == 401);
    CHECK_FALSE(stream->was_cut);
    const auto again = rig.call("POST", "/v1/session", rig.with(cookie, page), body);
    CHECK(again->answer.status == 200);
    CHECK(stream->was_cut);
    CHECK(rig.call("GET", "/v1/messages", {cookie})->token() == "-");
    CHECK(rig.call("GET", "/v1/messages", {rig.cookie_of(again)})->token() ==
          access::token_hash(other));
    CHECK(rig.call("GET", "/v1/messages", {stays})->token() == access::token_hash(shop));
}

TEST_CASE("gate: a logout ends the login over a restart too, where its file can't be written") {
    GateRig rig;
    const std::string file = (rig.folder.path() / "logins").string();
    auto parts = rig.login_parts();
    parts.file = file;
    const SessionCookie cookie = parts.cookie;
    std::string secret;
    {
        Logins logins(parts);
        const std::string set = logins.begin({.token = access::token_hash(shop)});
        secret = set.substr(0, set.find(';'));
        CHECK(std::filesystem::exists(file));
        std::filesystem::create_directory(file + ".new");  // in the way of the next one
        const auto login = logins.of({.headers = {{"cookie", secret}}});
        REQUIRE(login);
        (void)logins.end(*login);
    }
    CHECK_FALSE(Logins(parts).of({.headers = {{"cookie", secret}}}));
}

TEST_CASE("gate: tokens that could not be read at the start end no login") {
    GateRig rig;
    auto parts = rig.login_parts();
    parts.file = (rig.folder.path() / "logins").string();
    std::string secret;
    {
        const std::string set = Logins(parts).begin({.token = access::token_hash(shop)});
        secret = set.substr(0, set.find(';'));
    }
    access::TokenBook unread;
    const LoginParts early{.answers = parts.answers,
                           .tokens = unread,
                           .wrong = parts.wrong,
                           .cookie = parts.cookie,
                           .idle_max = parts.idle_max,
                           .new_secret = parts.new_secret,
                           .file = parts.file};
    Logins logins(early);
    logins.sweep();
    CHECK_FALSE(logins.of({.headers = {{"cookie", secret}}}));  // whether it counts is not known
    unread.set({{.name = "shop", .hash = access::token_hash(shop)}});
    logins.sweep();
    CHECK(logins.of({.headers = {{"cookie", secret}}}));
}

TEST_CASE("gate: while the tokens could not be read, none is wrong") {
    GateRig rig;
    rig.book = {};
    for (int i = 0; i < 2 * WrongTokens::wrong_max; ++i) {
        const auto call = rig.call("GET", "/v1/messages", {{"authorization", "Bearer " + shop}});
        CHECK(call->answer.status == 503);
        CHECK(call->header("Retry-After") == "30");
        CHECK(rig.log_in(shop)->answer.status == 503);
    }
    rig.set_tokens({shop});
    CHECK(rig.log_in(shop)->answer.status == 200);
}

TEST_CASE("gate: a request that was refused unread is shown to the page of another site") {
    GateRig rig;
    const auto refused = rig.handler.refusal(413, "the body is too long");
    CHECK(std::ranges::any_of(refused.headers, [](const auto& header) {
        return header.name == "Access-Control-Allow-Origin" && header.value == "*";
    }));
}

TEST_CASE("gate: the page needs no login; a token in a query is refused there too") {
    GateRig rig;
    CHECK(rig.call("GET", "/")->answer.status == (page_files().index.empty() ? 404 : 200));
    auto browser = std::make_shared<Browser>(rig.loop);
    rig.handler.handle({.method = "GET", .path = "/", .params = {{"token", shop}}, .peer = &peer},
                       browser);
    CHECK(browser->answer.status == 400);
}

TEST_CASE("gate: the page counts as one route, whatever path it is asked at") {
    GateRig rig;
    for (int made_up = 0; made_up < 10; ++made_up) {
        rig.call("GET", fmt::format("/box/{}", made_up));
        rig.call("GET", "/box/v1/" + std::string(made_up % 2 == 0 ? "at" : "ack"));
    }
    const std::string text = rig.metrics.text(0);
    const bool is_built = !page_files().index.empty();
    CHECK(text.contains(is_built ? "{route=\"page\",status=\"200\"} 20\n"
                                 : "{route=\"refused\",status=\"404\"} 20\n"));
    CHECK_FALSE(text.contains("box"));
}

TEST_CASE("gate: a gate of the caller's own takes a code once, and shows the service no token") {
    GateRig rig(false, true);
    const std::string code = rig.logins.new_code();
    const std::string body = fmt::format(R"({{"code":"{}"}})", code);
    const auto login = rig.call("POST", "/v1/session", page, body);
    CHECK(login->answer.status == 200);
    CHECK(login->token() == "none");
    const auto cookie = rig.cookie_of(login);
    CHECK(rig.call("GET", "/v1/messages", {cookie})->token() == "none");
    CHECK(rig.call("POST", "/v1/pause", {cookie})->answer.status == 403);
    CHECK(rig.call("POST", "/v1/session", page, body)->answer.status == 401);
    // Without the cookie any account of the machine could call as this one.
    CHECK(rig.call("GET", "/v1/messages")->answer.status == 401);
    CHECK(rig.call("GET", "/healthz")->answer.status == 401);
    const std::string late = rig.logins.new_code();
    rig.clock.advance(60s);
    CHECK(rig.call("POST", "/v1/session", page, fmt::format(R"({{"code":"{}"}})", late))
              ->answer.status == 401);
}

TEST_CASE("gate: wrong codes make no address wait, at either kind of gate") {
    for (const bool is_own : {true, false}) {
        CAPTURE(is_own);
        GateRig rig(false, is_own);
        for (int wrong = 0; wrong < 20; ++wrong) {
            CHECK(rig.call("POST", "/v1/session", page, R"({"code":"1"})")->answer.status == 401);
        }
        CHECK(rig.metrics.text(0).contains("smsrack_gate_refused_tokens_total 0\n"));
        const auto login = is_own
                               ? rig.call("POST", "/v1/session", page,
                                          fmt::format(R"({{"code":"{}"}})", rig.logins.new_code()))
                               : rig.log_in(shop);
        CHECK(login->answer.status == 200);
    }
}

TEST_CASE("gate: a code still counts where the service refused the login, or the browser left") {
    GateRig rig(false, true);
    const std::string body = fmt::format(R"({{"code":"{}"}})", rig.logins.new_code());
    rig.service.refuse_next();
    CHECK(rig.call("POST", "/v1/session", page, body)->answer.status == 503);
    auto leaves = std::make_shared<Browser>(rig.loop);
    rig.handler.handle(
        {.method = "POST", .path = "/v1/session", .headers = page, .body = body, .peer = &peer},
        leaves);
    leaves->leave();
    CHECK(rig.call("POST", "/v1/session", page, body)->answer.status == 200);
    CHECK(rig.call("POST", "/v1/session", page, body)->answer.status == 401);
}

TEST_CASE("gate: pages of a site that is named may call with a token, never with a cookie") {
    GateRig rig;
    const wire::HeaderField origin{"origin", "https://site.example"};
    const auto asked = rig.call("OPTIONS", "/v1/messages", {origin});
    CHECK(asked->answer.status == 200);
    CHECK(asked->header("Access-Control-Allow-Origin") == "https://site.example");
    CHECK(asked->header("Access-Control-Allow-Headers").starts_with("Authorization, "));
    CHECK(asked->header("Access-Control-Allow-Credentials").empty());
    const auto read =
        rig.call("GET", "/v1/messages", {origin, {"authorization", "Bearer " + shop}});
    CHECK(read->header("Access-Control-Allow-Origin") == "https://site.example");
    CHECK(read->header("Vary") == "Origin");
    const auto evil = rig.call("GET", "/v1/messages", {{"origin", "https://evil.example"}});
    CHECK(evil->header("Access-Control-Allow-Origin").empty());
    const auto cookie = rig.cookie_of(rig.log_in(shop));
    CHECK(rig.call("POST", "/v1/pause", {cookie, page[0], origin})->answer.status == 403);
}
