#include "src/wire/http_session.hpp"

#include "src/wire/http_exchange.hpp"
#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::wire;
using namespace std::chrono_literals;

namespace {

struct Reader final : BodyReader {
    explicit Reader(std::string& log) : log_(log) {}
    void data(std::string_view piece) override { log_ += piece; }
    void end() override { log_ += "|end"; }
    void aborted() override { log_ += "|aborted"; }
    std::string& log_;
};

/// Keeps the responders, so that the test answers when it wants.
struct Handler final : HttpHandler {
    [[nodiscard]] bool wants_stream(const HttpRequest& head) const override {
        return head.path == "/stream";
    }
    [[nodiscard]] std::size_t answer_bytes(const HttpRequest& request) const override {
        return request.path.starts_with("/large") ? 100'000 : 1000;
    }
    void handle(HttpRequest request, ResponderPtr responder) override {
        if (request.path == "/now") {
            responder->send({.body = "now:" + request.body});
            return;
        }
        requests.push_back(std::move(request));
        responders.push_back(std::move(responder));
    }
    [[nodiscard]] std::unique_ptr<BodyReader> stream(HttpRequest head,
                                                     ResponderPtr responder) override {
        if (refuse_stream) {
            responder->send({.status = 403});
            return nullptr;
        }
        requests.push_back(std::move(head));
        responders.push_back(std::move(responder));
        return std::make_unique<Reader>(streamed);
    }
    [[nodiscard]] std::unique_ptr<BodyReader> resume(std::string mark, const Peer&,
                                                     ResponderPtr responder) override {
        const bool in_body = mark.starts_with("body ");
        if (in_body) {
            streamed = mark.substr(5);
        }
        resumed.push_back(std::move(mark));
        responders.push_back(std::move(responder));
        return in_body ? std::make_unique<Reader>(streamed) : nullptr;
    }
    [[nodiscard]] HttpResponse refusal(int status, std::string_view reason) const override {
        return {.status = status, .body = std::string(reason)};
    }
    std::vector<std::string> resumed;
    std::vector<HttpRequest> requests;
    std::vector<ResponderPtr> responders;
    std::string streamed;
    bool refuse_stream = false;
};

struct Rig final : SessionOwner {
    void session_changed() override { ++changes; }
    void note(SessionNote note) override {
        timeouts += note == SessionNote::timeout ? 1 : 0;
        refused += note == SessionNote::no_room ? 1 : 0;
    }

    /// Takes what there is to send.
    std::string take() {
        std::string out(session.output());
        session.written(out.size());
        return out;
    }
    void pass(std::chrono::steady_clock::duration time) {
        clock.advance(time);
        if (session.deadline() <= clock.steady()) {
            session.step(clock.steady());
        }
    }

    test::ManualClock clock;
    Handler handler;
    HttpLimits limits{.body_bytes_max = 100,
                      .in_flight_max = 3,
                      .output_bytes_max = 1000,
                      .discard_bytes_max = 1000};
    SessionBudget budget{1 << 20};
    SessionBudget::Share share{budget, 1000, false};
    HttpSession session{limits, handler, *this, clock, share, Peer{}};
    int changes = 0;
    int timeouts = 0;
    int refused = 0;
};

std::string get(const std::string& path) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
}
std::string post(const std::string& path, const std::string& body, const std::string& more = {}) {
    return "POST " + path + " HTTP/1.1\r\nHost: a\r\n" + more +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
int status_of(const std::string& answer) {
    return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

}  // namespace

TEST_CASE("HttpSession: a request is answered at once or later, and the connection stays") {
    Rig rig;
    rig.session.receive(post("/now", "hello"));
    const std::string answer = rig.take();
    CHECK(status_of(answer) == 200);
    CHECK(answer.ends_with("\r\n\r\nnow:hello"));
    rig.session.receive(post("/later", "x"));
    CHECK(rig.take().empty());
    CHECK(rig.changes == 0);
    rig.handler.responders.at(0)->send({.status = 202, .body = "{}"});
    CHECK(rig.changes == 1);
    CHECK(status_of(rig.take()) == 202);
    CHECK_FALSE(rig.session.finished());
}

TEST_CASE("HttpSession: pipelined requests are in flight together and answered in their order") {
    Rig rig;
    rig.session.receive(get("/1") + get("/2") + get("/now"));
    REQUIRE(rig.handler.requests.size() == 2);
    rig.handler.responders[1]->send({.body = "two"});
    CHECK(rig.take().empty());
    rig.handler.responders[0]->send({.body = "one"});
    const std::string all = rig.take();
    CHECK(all.find("one") < all.find("two"));
    CHECK(all.find("two") < all.find("now:"));
}

TEST_CASE("HttpSession: reading stops at in_flight_max requests and resumes when one is answered") {
    Rig rig;
    rig.session.receive(get("/1") + get("/2") + get("/3") + get("/4") + get("/5"));
    CHECK(rig.handler.requests.size() == 3);
    CHECK_FALSE(rig.session.wants_input());
    rig.handler.responders[0]->send({});
    CHECK(rig.handler.requests.size() == 4);
    rig.handler.responders[1]->send({});
    rig.handler.responders[2]->send({});
    CHECK(rig.handler.requests.size() == 5);
    CHECK(rig.session.wants_input());
}

TEST_CASE("HttpSession: a client that never reads stops being read, and is cut off") {
    Rig rig;
    for (int i = 0; i < 100 && rig.session.wants_input(); ++i) {
        rig.session.receive(post("/now", std::string(90, 'x')));
    }
    CHECK_FALSE(rig.session.wants_input());
    CHECK(rig.session.output().size() < 2000);
    rig.pass(29s);
    CHECK_FALSE(rig.session.finished());
    rig.session.written(1);
    rig.pass(29s);
    CHECK_FALSE(rig.session.finished());
    rig.pass(1s);
    CHECK(rig.session.finished());
    CHECK(rig.timeouts == 1);
}

TEST_CASE("HttpSession: refusals say why, close, and let the client read them") {
    struct Case {
        std::string so;
        std::string text;
        int status;
    };
    for (const Case& it : {
             Case{"a body announced as too large", post("/", std::string(101, 'x')), 413},
             Case{"a chunked body that becomes too large",
                  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" +
                      std::string(101, 'x'),
                  413},
             Case{"a head too large", "GET /" + std::string(20'000, 'x'), 431},
             Case{"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
         }) {
        CAPTURE(it.so);
        Rig rig;
        rig.session.receive(get("/now") + it.text);
        const std::string all = rig.take();
        const std::string refusal = all.substr(all.find("now:") + 4);
        CHECK(status_of(refusal) == it.status);
        CHECK(refusal.contains("Connection: close"));
        CHECK(rig.session.output_ended());
        CHECK_FALSE(rig.session.finished());
        CHECK(rig.session.wants_input());
        SUBCASE("until it closes") {
            rig.session.end_of_input();
        }
        SUBCASE("until it sent enough") {
            rig.session.receive(std::string(1001, 'x'));
        }
        SUBCASE("until the time is over") {
            rig.clock.advance(5s);
        }
        CHECK(rig.session.finished());
        CHECK(rig.handler.requests.empty());
    }
}

TEST_CASE("HttpSession: 100-continue is answered before the body, a refusal instead of it") {
    Rig rig;
    const std::string head =
        "POST /now HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ";
    rig.session.receive(head + "3\r\n\r\n");
    CHECK(rig.take() == "HTTP/1.1 100 Continue\r\n\r\n");
    rig.session.receive("abc");
    CHECK(rig.take().ends_with("now:abc"));
    rig.session.receive(head + "101\r\n\r\n");
    CHECK(status_of(rig.take()) == 413);
}

TEST_CASE("HttpSession: slow heads and stalled bodies get 408, idle connections just end") {
    struct Case {
        std::string so;
        std::string start;
        std::string drip;
        int drips;
        int status;
    };
    for (const Case& it : {
             Case{"a head, an octet a second", "GET / HTTP/1.1\r\nHost: a\r\nX: ", "x", 10, 408},
             Case{"a body that stops",
                  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nabc", "", 11, 408},
             Case{"a body, an octet a second",
                  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nabc", "x", 11, 408},
             Case{"a body that is slow for a while",
                  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nabc", "x", 9, 0},
             Case{"a streamed body that drips is taken",
                  "POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nabc", "x", 40, 0},
             Case{"idle for less than the bound", "", "", 299, 0},
         }) {
        CAPTURE(it.so);
        Rig rig;
        rig.session.receive(it.start);
        for (int i = 0; i < it.drips; ++i) {
            CHECK(rig.session.output().empty());
            rig.pass(1s);
            rig.session.receive(it.drip);
        }
        CHECK(status_of(rig.take()) == it.status);
        CHECK(rig.timeouts == (it.status == 0 ? 0 : 1));
    }
    Rig rig;
    rig.session.receive(get("/now"));
    rig.take();
    rig.pass(300s);
    CHECK(rig.session.finished());
    CHECK(rig.timeouts == 0);
}

TEST_CASE(
    "HttpSession: a streamed body comes piece by piece, answers leave meanwhile, the next request "
    "follows") {
    Rig rig;
    rig.session.receive(
        "POST /stream HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    CHECK(rig.handler.streamed == "abc");
    const auto& responder = rig.handler.responders.at(0);
    responder->begin({.content_type = "application/x-ndjson"}, 0s, "");
    responder->write("1\n");
    CHECK(rig.take().ends_with("\r\n\r\n2\r\n1\n\r\n"));
    rig.session.receive("2\r\nde\r\n0\r\n\r\n" + get("/now"));
    CHECK(rig.handler.streamed == "abcde|end");
    CHECK(rig.take().empty());
    responder->end();
    const std::string rest = rig.take();
    CHECK(rest.starts_with("0\r\n\r\nHTTP/1.1 200 OK"));
    CHECK(rest.ends_with("now:"));
}

TEST_CASE("HttpSession: a paused body is not read, not even its end, until it resumes") {
    Rig rig;
    rig.session.receive("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n");
    const auto& responder = rig.handler.responders.at(0);
    responder->pause_body(true);
    CHECK_FALSE(rig.session.wants_input());
    rig.session.receive("abc");
    CHECK(rig.handler.streamed.empty());
    rig.pass(1h);
    CHECK_FALSE(rig.session.finished());
    responder->pause_body(false);
    CHECK(rig.handler.streamed == "abc");
    CHECK(rig.session.wants_input());
    rig.session.receive("def");
    CHECK(rig.handler.streamed == "abcdef|end");
}

TEST_CASE("HttpSession: the time in which we did not read is not the client's") {
    Rig rig;
    rig.session.receive("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
    const auto& responder = rig.handler.responders.at(0);
    responder->pause_body(true);
    rig.pass(1h);
    responder->pause_body(false);
    rig.pass(29s);
    CHECK_FALSE(rig.session.finished());
    rig.pass(1s);
    CHECK(rig.session.finished());
    CHECK(rig.handler.streamed == "abc|aborted");
}

TEST_CASE("HttpSession: the end of a wait for the client to take everything is reported once") {
    Rig rig;
    rig.session.receive(get("/events"));
    const auto& responder = rig.handler.responders.at(0);
    responder->begin({}, 15s, ":\n\n");
    responder->write("abc");
    int told = 0;
    responder->on_drained([&] { ++told; });
    rig.session.written(rig.session.output().size() - 1);
    CHECK(told == 0);
    CHECK(responder->backlog() == 1);
    rig.take();
    CHECK(told == 1);
    responder->write("abc");
    rig.take();
    CHECK(told == 1);
}

TEST_CASE("HttpSession: a streamed body waits until the connection is its own") {
    Rig rig;
    rig.session.receive(get("/1") +
                        "POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
    CHECK(rig.handler.streamed.empty());
    rig.handler.responders.at(0)->send({});
    CHECK(rig.handler.streamed == "abc|end");
}

TEST_CASE("HttpSession: a streamed body that is refused is dropped, and the connection ends") {
    Rig rig;
    rig.handler.refuse_stream = true;
    rig.session.receive("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\nabc");
    const std::string refusal = rig.take();
    CHECK(status_of(refusal) == 403);
    CHECK(refusal.contains("Connection: close\r\n"));
    CHECK(rig.session.output_ended());
    CHECK(rig.handler.streamed.empty());
}

TEST_CASE("HttpSession: who goes away in the middle is noticed by all concerned") {
    Rig rig;
    rig.session.receive("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\nabc");
    bool told = false;
    rig.handler.responders.at(0)->on_closed([&] { told = true; });
    SUBCASE("by closing") {
        rig.session.end_of_input();
    }
    SUBCASE("by an error") {}
    rig.session.connection_lost();
    CHECK(rig.handler.streamed == "abc|aborted");
    CHECK(told);
    CHECK(rig.handler.responders[0]->closed());
    rig.handler.responders[0]->send({.body = "too late"});
    CHECK(rig.session.finished());
    CHECK(rig.session.output().empty());
}

TEST_CASE("HttpSession: a client that closes its sending side still gets its answer") {
    Rig rig;
    rig.session.receive(get("/later"));
    rig.session.end_of_input();
    CHECK_FALSE(rig.session.finished());
    rig.handler.responders.at(0)->send({.body = "x"});
    CHECK(rig.take().ends_with("x"));
    CHECK(rig.session.finished());
}

TEST_CASE("HttpSession: an endless answer is kept alive by its filler") {
    Rig rig;
    rig.session.receive(get("/events"));
    rig.handler.responders.at(0)->begin({.content_type = "text/event-stream"}, 15s, ":\n\n");
    rig.take();
    rig.pass(14s);
    CHECK(rig.take().empty());
    rig.pass(1s);
    CHECK(rig.take() == "3\r\n:\n\n\r\n");
    rig.pass(10s);
    rig.handler.responders[0]->write("data: x\n\n");
    CHECK_FALSE(rig.take().empty());
    rig.pass(14s);
    CHECK(rig.take().empty());
    rig.pass(1s);
    CHECK_FALSE(rig.take().empty());
}

TEST_CASE("HttpSession: HTTP/1.0 gets its stream without chunks, until the end of the connection") {
    Rig rig;
    rig.session.receive("GET /later HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const auto& responder = rig.handler.responders.at(0);
    responder->begin({.content_type = "text/plain"}, 0s, "");
    responder->write("abc");
    responder->end();
    const std::string all = rig.take();
    CHECK(all.ends_with("\r\n\r\nabc"));
    CHECK(all.contains("Connection: close"));
    CHECK(rig.session.finished());
}

TEST_CASE("HttpSession: HEAD has the head of the answer alone") {
    Rig rig;
    rig.session.receive("HEAD /now HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string all = rig.take();
    CHECK(all.contains("Content-Length: 4\r\n"));
    CHECK(all.ends_with("\r\n\r\n"));
}

TEST_CASE("HttpSession: draining answers what is in flight, ends streams and takes nothing new") {
    Rig rig;
    SUBCASE("idle") {
        rig.session.drain();
        CHECK(rig.session.finished());
    }
    SUBCASE("a request in flight") {
        rig.session.receive(get("/later"));
        rig.session.drain();
        CHECK_FALSE(rig.session.finished());
        rig.handler.responders.at(0)->send({});
        CHECK(status_of(rig.take()) == 200);
        CHECK(rig.session.finished());
    }
    SUBCASE("an endless answer") {
        rig.session.receive(get("/events"));
        rig.handler.responders.at(0)->begin({}, 15s, ":\n\n");
        bool told = false;
        rig.handler.responders[0]->on_closed([&] { told = true; });
        rig.session.drain();
        CHECK(told);
        CHECK(rig.take().ends_with("0\r\n\r\n"));
        CHECK(rig.session.finished());
    }
    SUBCASE("a streamed body") {
        rig.session.receive("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\nabc");
        rig.session.drain();
        CHECK(rig.handler.streamed == "abc|end");
        CHECK_FALSE(rig.session.finished());
        rig.handler.responders.at(0)->send({});
        rig.take();
        CHECK(rig.session.finished());
    }
}

TEST_CASE("HttpSession: cutting an answer ends the connection without its end") {
    Rig rig;
    rig.session.receive(get("/events"));
    rig.handler.responders.at(0)->begin({}, 15s, ":\n\n");
    rig.handler.responders[0]->cut();
    CHECK(rig.session.finished());
    CHECK_FALSE(std::string(rig.session.output()).ends_with("0\r\n\r\n"));
}

TEST_CASE("HttpSession: a revoked answer ends the connection, and its author is notified") {
    Rig rig;
    rig.session.receive(get("/events"));
    wire::Responder& answer = *rig.handler.responders.at(0);
    int told = 0;
    answer.on_closed([&told] { ++told; });
    answer.begin({}, 15s, ":\n\n");
    answer.revoke();
    CHECK(rig.session.finished());
    answer.write("data: 1\n\n");  // its author does not know yet
    CHECK(told == 0);
    rig.session.connection_lost();
    CHECK(told == 1);
    answer.end();
}

TEST_CASE("HttpSession: left to another one after any octet, every request is answered once") {
    const std::string whole = post("/now", "one") + get("/now") +
                              post("/now", "two", "Expect: 100-continue\r\n") +
                              "POST /now HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "3\r\nthr\r\n2\r\nee\r\n0\r\n\r\n" +
                              get("/now");
    for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
        CAPTURE(cut);
        Rig first;
        Rig second;
        first.session.receive(whole.substr(0, cut));
        first.session.hold(true);
        CHECK_FALSE(first.session.wants_input());
        REQUIRE(first.session.is_settled());
        second.session.adopt(first.session.carried());
        second.session.receive(whole.substr(cut));
        std::string all = second.take();
        for (std::size_t at = all.find("HTTP/1.1 100"); at != std::string::npos;
             at = all.find("HTTP/1.1 100")) {
            all.erase(at, all.find("\r\n\r\n", at) + 4 - at);  // may come once more
        }
        int answers = 0;
        for (std::size_t at = all.find("HTTP/1.1 200"); at != std::string::npos;
             at = all.find("HTTP/1.1 200", at + 1)) {
            ++answers;
        }
        CHECK(answers == 5);
        CHECK(all.find("now:one") < all.find("now:two"));
        CHECK(all.find("now:two") < all.find("now:three"));
        CHECK_FALSE(second.session.finished());
    }
}

TEST_CASE("HttpSession: held, it hands no request on until it is let go or left to another one") {
    Rig rig;
    rig.session.receive(get("/1"));
    rig.session.hold(true);
    CHECK_FALSE(rig.session.is_settled());  // one is in flight
    rig.session.receive(get("/2"));         // was on its way
    CHECK(rig.handler.requests.size() == 1);
    rig.handler.responders[0]->send({.body = "one"});
    CHECK(rig.session.is_settled());
    rig.session.hold(false);
    CHECK(rig.handler.requests.size() == 2);
    CHECK_FALSE(rig.session.is_settled());
}

TEST_CASE("HttpSession: a streamed body whose reader can't say where it is keeps the session") {
    Rig rig;
    rig.session.receive(
        "POST /stream HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc");
    rig.session.hold(true);
    CHECK_FALSE(rig.session.is_settled());
    rig.session.receive("\r\n0\r\n\r\n");
    CHECK(rig.handler.streamed == "abc");  // held: not read
    rig.session.hold(false);
    CHECK(rig.handler.streamed == "abc|end");
    rig.handler.responders[0]->send({});
    rig.session.hold(true);
    CHECK(rig.session.is_settled());
}

TEST_CASE("HttpSession: a streamed body left to others, octet by octet, comes whole and once") {
    const std::string head = "POST /stream HTTP/1.1\r\nHost: a\r\n";
    const std::string chunked =
        head +
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0c\r\nefghijklmnop\r\n0\r\n\r\n";
    const std::string length = head + "Content-Length: 16\r\n\r\nabcdefghijklmnop";
    for (const std::string& whole : {chunked, length}) {
        for (std::size_t piece = 1; piece < 20; ++piece) {  // octets that each session sees
            CAPTURE(piece);
            auto rig = std::make_unique<Rig>();
            std::string answer;
            bool begun = false;
            for (std::size_t at = 0; at < whole.size(); at += piece) {
                CAPTURE(at);
                rig->session.receive(whole.substr(at, piece));
                if (!begun && !rig->handler.responders.empty()) {
                    begun = true;
                    rig->handler.responders[0]->begin({.content_type = "text/plain"}, 0s, {});
                }
                if (rig->handler.streamed.ends_with("|end")) {
                    continue;
                }
                if (begun) {
                    rig->handler.responders[0]->resumable(
                        [&handler = rig->handler] { return "body " + handler.streamed; });
                }
                rig->session.hold(true);
                REQUIRE(rig->session.is_settled());
                auto next = std::make_unique<Rig>();
                next->session.adopt(rig->session.carried());
                rig->session.connection_lost();
                CHECK_FALSE(rig->handler.streamed.contains("aborted"));
                rig = std::move(next);
            }
            REQUIRE(rig->handler.streamed == "abcdefghijklmnop|end");
            rig->handler.responders[0]->write("done");
            rig->handler.responders[0]->end();
            answer = rig->take();
            CHECK(status_of(answer) == 200);
            CHECK(answer.ends_with("4\r\ndone\r\n0\r\n\r\n"));
            rig->session.receive(get("/now"));
            CHECK(status_of(rig->take()) == 200);
        }
    }
}

TEST_CASE(
    "HttpSession: an answer that can be resumed continues elsewhere, after what was written") {
    Rig first;
    Rig second;
    first.session.receive(get("/events"));
    first.handler.responders[0]->begin({.content_type = "text/plain"}, 15s, ":");
    first.handler.responders[0]->write("one");
    first.session.hold(true);
    CHECK_FALSE(first.session.is_settled());  // its author has not said how to continue
    first.handler.responders[0]->resumable([] { return std::string("at 1"); });
    REQUIRE(first.session.is_settled());
    SessionCarried carried = first.session.carried();
    CHECK(carried.answer->mark == "at 1");
    second.session.adopt(std::move(carried));
    CHECK(second.handler.resumed == std::vector<std::string>{"at 1"});
    second.handler.responders[0]->write("two");
    const std::string all = second.take();
    CHECK(status_of(all) == 200);
    CHECK(all.find("3\r\none\r\n") < all.find("3\r\ntwo\r\n"));
    CHECK(all.ends_with("3\r\ntwo\r\n"));
    second.pass(15s);
    CHECK(second.take() == "1\r\n:\r\n");
}

TEST_CASE("HttpSession: one that must be closed after its answer is closed by the next one") {
    Rig first;
    Rig second;
    first.session.receive("GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    first.session.hold(true);
    REQUIRE(first.session.is_settled());
    second.session.adopt(first.session.carried());
    CHECK_FALSE(second.session.finished());
    CHECK(status_of(second.take()) == 200);
    CHECK(second.session.finished());
}

TEST_CASE("HttpSession: a large answer is begun when all before it were taken") {
    Rig rig;
    rig.session.receive(get("/large/1") + get("/large/2") + get("/now"));
    CHECK(rig.handler.requests.size() == 1);
    rig.handler.responders.at(0)->send({.body = std::string(50'000, 'x')});
    CHECK(rig.handler.requests.size() == 1);
    rig.take();
    CHECK(rig.handler.requests.size() == 2);
    rig.handler.responders.at(1)->send({.body = "two"});
    CHECK(rig.take().find("two") < std::string::npos);
}

TEST_CASE("HttpSession: pipelined large answers that are not taken hold one of them") {
    Rig rig;
    std::string requests;
    for (int i = 0; i < 30; ++i) {
        requests += get("/large");
    }
    rig.session.receive(requests);
    rig.session.receive(requests);
    REQUIRE(rig.handler.requests.size() == 1);
    rig.handler.responders.at(0)->send({.body = std::string(100'000, 'x')});
    CHECK(rig.handler.requests.size() == 1);
    CHECK(rig.budget.held() < 110'000);
    CHECK_FALSE(rig.session.wants_input());
}

TEST_CASE("HttpSession: a request waits for room of its account, and starts once there is some") {
    Rig rig;
    rig.limits.in_flight_max = 4;
    SessionBudget::Share other(rig.budget, 1000, false);
    other.hold((1 << 19) - 2500);  // half of it is all that the account gets
    rig.session.receive(get("/1") + get("/2") + get("/3"));
    CHECK(rig.handler.requests.size() == 2);
    CHECK(rig.session.wanted_room() == 1000);
    CHECK_FALSE(rig.session.wants_input());
    other.hold(0);
    CHECK(rig.budget.take_released());
    rig.session.look_again();
    CHECK(rig.handler.requests.size() == 3);
    CHECK(rig.session.wanted_room() == 0);
    CHECK(rig.session.wants_input());
}

TEST_CASE("HttpSession: a request that finds no room in time is refused with 503, and says why") {
    Rig rig;
    SessionBudget::Share other(rig.budget, 1000, false);
    other.hold(1 << 19);
    CHECK_FALSE(rig.session.wants_input());
    rig.session.receive(get("/1"));
    CHECK(rig.handler.requests.empty());
    rig.pass(9s);
    CHECK(rig.session.output().empty());
    rig.pass(1s);
    const std::string answer = rig.take();
    CHECK(status_of(answer) == 503);
    CHECK(answer.contains("unread answers"));
    CHECK(rig.refused == 1);
    CHECK(rig.timeouts == 0);
}

TEST_CASE("HttpSession: what its client no longer waits for counts until its author lets it go") {
    Rig rig;
    rig.session.receive(get("/1") + get("/2") + get("/now"));
    const std::size_t held = rig.budget.held();
    CHECK(held >= 2000);
    rig.session.connection_lost();
    CHECK(rig.budget.held() == 2000);
    rig.handler.responders.at(0)->send({});
    CHECK(rig.budget.held() == 1000);
    rig.handler.responders.clear();
    CHECK(rig.budget.held() == 0);
}

TEST_CASE("HttpSession: a stream's author is asked for more when there is room, not before") {
    Rig rig;
    rig.session.receive(get("/events"));
    const auto& responder = rig.handler.responders.at(0);
    responder->begin({}, 15s, ":\n\n");
    SessionBudget::Share other(rig.budget, 1000, false);
    other.hold((1 << 19) - 1000);
    CHECK(responder->room() < 2000);
    int told = 0;
    responder->on_drained([&] { ++told; });
    rig.take();
    CHECK(told == 0);
    CHECK(rig.session.wanted_room() == rig.limits.grow_bytes_min);
    other.hold(0);
    rig.session.look_again();
    CHECK(told == 1);
}

TEST_CASE("HttpSession: a body is not read without room, and the time is not the client's") {
    Rig rig;
    rig.session.receive("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
    SessionBudget::Share other(rig.budget, 1000, false);
    other.hold(1 << 19);
    CHECK_FALSE(rig.session.wants_input());
    rig.pass(1h);
    CHECK_FALSE(rig.session.finished());
    other.hold(0);
    rig.session.look_again();
    CHECK(rig.session.wants_input());
    rig.pass(29s);
    CHECK_FALSE(rig.session.finished());
    rig.pass(1s);
    CHECK(rig.session.finished());
}

TEST_CASE("HttpSession: a body of 1 KiB/s may take as long as it needs") {
    Rig rig;
    rig.limits.body_bytes_max = 64UL * 1024;
    rig.session.receive("POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 61440\r\n\r\n");
    for (int second = 0; second < 60; ++second) {
        rig.pass(1s);
        rig.session.receive(std::string(1024, 'x'));
    }
    CHECK(status_of(rig.take()) == 200);
}
