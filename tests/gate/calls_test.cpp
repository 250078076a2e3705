// Calls of clients against a service that answers, goes away and comes back: a script, over a real socket.
#include "firmware-host/gate/event_relay.hpp"
#include "firmware-host/gate/forward.hpp"
#include "firmware-host/gate/line_upload.hpp"
#include "firmware-host/gate/upload.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "src/wire/http1.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace smsrack::gate;
using namespace std::chrono_literals;

namespace {

/// One connection: it reads until the request contains `until`, answers, and closes. "": it closes without an answer.
struct Turn {
    Turn(std::string text) : answer(std::move(text)) {}  // NOLINT(google-explicit-constructor)
    Turn(const char* text) : answer(text) {}             // NOLINT(google-explicit-constructor)
    Turn(std::string wanted, std::string text)
        : until(std::move(wanted)), answer(std::move(text)) {}

    std::string until = "\r\n\r\n";
    std::string answer;
};

/// Takes its turns, in order; then it does not listen.
class FakeService {
public:
    FakeService(const std::string& path, std::vector<Turn> turns)
        : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
        REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
                0);
        if (!turns.empty()) {
            REQUIRE(::listen(listener_, 8) == 0);
        }
        thread_ = std::jthread([this, turns = std::move(turns)] {
            for (const Turn& turn : turns) {
                serve(turn);
            }
            ::close(listener_.exchange(-1));
        });
    }
    FakeService(const FakeService&) = delete;
    FakeService& operator=(const FakeService&) = delete;
    ~FakeService() {
        ::shutdown(listener_, SHUT_RDWR);  // a turn that waits still gets no client
        thread_.join();
    }

    /// The requests that came; after the last answer.
    std::vector<std::string> asked;

private:
    void serve(const Turn& turn) {
        const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd < 0) {
            return;
        }
        std::string request;
        char octets[4096];
        while (!request.contains(turn.until)) {
            const ssize_t got = ::recv(fd, octets, sizeof octets, 0);
            if (got <= 0) {
                break;
            }
            request.append(octets, static_cast<std::size_t>(got));
        }
        asked.push_back(request);
        (void)!::write(fd, turn.answer.data(), turn.answer.size());
        ::close(fd);
    }

    std::atomic<int> listener_;
    std::jthread thread_;
};

/// Ten seconds are some 200 ms.
class HurriedClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steady() const override {
        return begin_ + 50 * (std::chrono::steady_clock::now() - begin_);
    }
    [[nodiscard]] WallTime wall() const override { return {}; }
    [[nodiscard]] std::chrono::nanoseconds since_boot() const override { return {}; }

private:
    const SteadyTime begin_ = std::chrono::steady_clock::now();
};

class Client final : public wire::Responder {
public:
    explicit Client(net::Loop& loop) : loop_(loop) {}
    void send(wire::HttpResponse response) override {
        answer = std::move(response);
        written = answer.body;
        finish();
    }
    void begin(wire::HttpResponse response, std::chrono::seconds, std::string) override {
        answer = std::move(response);
    }
    void write(std::string_view piece) override { written += piece; }
    void end() override { finish(); }
    void cut() override {
        was_cut = true;
        finish();
    }
    void revoke() override { cut(); }
    [[nodiscard]] std::size_t backlog() const override { return is_slow ? written.size() : 0; }
    void on_drained(Job then) override { drained_ = std::move(then); }
    /// It has taken all.
    void drain() {
        is_slow = false;
        if (Job then = std::exchange(drained_, nullptr)) {
            then();
        }
    }
    [[nodiscard]] bool is_waited_for() const { return drained_ != nullptr; }
    [[nodiscard]] bool closed() const override { return false; }
    void on_closed(Job then) override { closed_ = std::move(then); }
    void resumable(std::move_only_function<std::string()>) override {}
    void mark_front(std::string) override {}
    void pause_body(bool) override {}
    void holds(std::size_t) override {}
    [[nodiscard]] std::size_t room() const override { return 1UL << 20; }

    wire::HttpResponse answer;
    std::string written;
    bool was_cut = false;
    bool is_slow = false;  // takes nothing of what was written

private:
    void finish() {
        drained_ = nullptr;
        closed_ = nullptr;  // it holds the call
        loop_.stop();
    }

    net::Loop& loop_;
    Job closed_;
    Job drained_;
};

struct CallRig {
    explicit CallRig(std::vector<Turn> turns, const Clock& now = real)
        : service(path, std::move(turns)), clock(now) {}

    void forward(bool may_repeat) { forward(may_repeat, may_repeat); }
    void forward(bool may_repeat, bool is_safe) {
        Forward::start(link,
                       {.request = request.with({}), .may_repeat = may_repeat, .is_safe = is_safe},
                       answer());
        loop.run();
    }
    void relay(bool is_named) {
        EventRelay::start(link, request, is_named, answer());
        loop.run();
    }
    void lines(const std::string& body) {
        const auto reader = LineUpload::start(
            link, request, [this] { return "ref" + std::to_string(++refs); }, answer());
        feed(*reader, body);
    }
    void events(const std::string& body) {
        const auto reader = Upload::start(link, request, answer());
        feed(*reader, body);
    }
    void feed(wire::BodyReader& reader, const std::string& body) {
        const std::size_t half = body.size() / 2;
        reader.data(std::string_view(body).substr(0, half));
        const auto rest = loop.after(50ms, [&] {
            reader.data(std::string_view(body).substr(half));
            reader.end();
        });
        loop.run();
    }
    std::unique_ptr<Answer> answer() {
        return std::make_unique<Answer>(answers_, wire::HttpRequest{.method = "GET"}, ClientPlace(),
                                        client);
    }

    test::TempDir folder;
    std::string path = (folder.path() / "s").string();
    FakeService service;
    net::Loop loop;
    static const inline host::SystemClock real;
    const Clock& clock;
    test::QuietLog log;
    GateMetrics metrics;
    Upstream upstream{loop, path};
    const ServiceLink link{upstream, loop, clock, metrics};
    const AnswerParts answers_{log, clock, metrics};
    ServiceRequest request{.method = "GET", .target = "/v1/status"};
    int refs = 0;
    std::shared_ptr<Client> client = std::make_shared<Client>(loop);
};

std::string whole(int status, const std::string& body) {
    return "HTTP/1.1 " + std::to_string(status) +
           " X\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// The begin of an event stream behind `place`, and what comes of it before the service goes.
std::string stream(int place, const std::string& events, int newest = 99) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nSmsrack-Place: " +
           std::to_string(place) + "\r\nSmsrack-Newest: " + std::to_string(newest) +
           "\r\n\r\n:\n\n" + events;
}

/// The begin of an answer to lines; whole with the end of its chunks.
std::string line_answers(const std::string& lines, const std::string& end = {}) {
    std::string text =
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: "
        "chunked\r\n\r\n";
    wire::append_chunk(text, lines);
    return text + end;
}

const std::string end_of_body(wire::end_of_chunks);

std::string event(int id) {
    return "event: message.sent\nid: " + std::to_string(id) + "\ndata: {}\n\n";
}

const std::string last_word = "event: client.ended\ndata: {}\n\n";

}  // namespace

TEST_CASE("Forward: what may be repeated is, until there is a whole answer") {
    CallRig rig({"", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", whole(200, "{}")});
    rig.forward(true);
    CHECK(rig.client->answer.status == 200);
    CHECK(rig.client->written == "{}");
    CHECK(rig.service.asked.size() == 3);
}

TEST_CASE("Forward: an answer that there is no room for is not taken") {
    CallRig rig(
        {"HTTP/1.1 200 OK\r\nContent-Length: 2097152\r\n\r\n" + std::string(64UL * 1024, 'x')});
    rig.forward(true);
    CHECK(rig.client->answer.status == 503);
    CHECK(rig.client->written.contains(R"("code":"overloaded")"));
    CHECK(rig.service.asked.size() == 1);
}

TEST_CASE("Forward: what must not be done twice is not repeated, and its client hears why") {
    CallRig rig({"", whole(200, "{}")});
    rig.forward(false);
    CHECK(rig.client->answer.status == 503);
    CHECK(rig.client->written.contains(R"("code":"outcome_unknown")"));
    CHECK(rig.service.asked.size() == 1);
}

TEST_CASE("Forward: a service that stays away is said, and whether it may have done its part") {
    struct Case {
        const char* what;
        std::vector<Turn> turns;
        bool is_safe;
        const char* code;
    };
    for (const Case& it : {
             Case{"the service did not listen", {}, false, "overloaded"},
             Case{"it had a message whose ref the client does not know",
                  {""},
                  false,
                  "outcome_unknown"},
             Case{"it had one whose ref the client knows", {""}, true, "overloaded"},
         }) {
        CAPTURE(it.what);
        const HurriedClock clock;
        CallRig rig(it.turns, clock);
        rig.forward(true, it.is_safe);
        CHECK(rig.client->answer.status == 503);
        CHECK(rig.client->written.contains("\"code\":\"" + std::string(it.code) + "\""));
        CHECK(rig.client->answer.headers.front().name == "Retry-After");
    }
}

TEST_CASE("Forward: a refusal of the service is its answer") {
    CallRig rig({whole(409, R"({"code":"conflict"})")});
    rig.forward(true);
    CHECK(rig.client->answer.status == 409);
    CHECK(rig.client->written == R"({"code":"conflict"})");
}

TEST_CASE("EventRelay: continues behind the last event, with whole events only") {
    CallRig rig({stream(4, event(5) + event(7) + "event: message.sent\nid: 8\nda"),
                 stream(7, event(8)), stream(8, last_word)});
    rig.relay(false);
    CHECK(rig.client->written == event(5) + event(7) + event(8) + last_word);
    REQUIRE(rig.service.asked.size() == 3);
    CHECK_FALSE(rig.service.asked[0].contains("last-event-id"));
    CHECK(rig.service.asked[1].contains("last-event-id: 7\r\n"));
    CHECK(rig.service.asked[2].contains("last-event-id: 8\r\n"));
}

TEST_CASE("EventRelay: the client hears where its stream begins, and which event is the newest") {
    CallRig rig({stream(4, last_word, 7)});
    rig.relay(false);
    const auto header = [&](std::string_view name) {
        const auto& headers = rig.client->answer.headers;
        const auto found = std::ranges::find(headers, name, &wire::HeaderField::name);
        return found == headers.end() ? "" : found->value;
    };
    CHECK(header("Smsrack-Place") == "4");
    CHECK(header("Smsrack-Newest") == "7");
}

TEST_CASE("EventRelay: a stream without an event yet continues where it began") {
    CallRig rig({stream(4, ""), "", whole(503, "{}"), stream(4, event(5) + last_word)});
    rig.relay(false);
    CHECK(rig.client->written == event(5) + last_word);
    CHECK(rig.service.asked[3].contains("last-event-id: 4\r\n"));
}

TEST_CASE("EventRelay: a client with a name gets no event twice, and acknowledges by itself") {
    CallRig rig({stream(1, event(2) + event(3)), stream(1, event(2) + event(3) + event(4)),
                 stream(1, last_word)});
    rig.request.target = "/v1/events?client=shop&clear=true";
    rig.relay(true);
    CHECK(rig.client->written == event(2) + event(3) + event(4) + last_word);
    for (const std::string& asked : rig.service.asked) {
        CHECK_FALSE(asked.contains("last-event-id"));
    }
    // What came before is void once, not what comes while the service is away.
    CHECK(rig.service.asked[0].contains("clear=true"));
    CHECK(rig.service.asked[1].contains("clear=false"));
}

TEST_CASE("EventRelay: all events of another database are new") {
    for (const bool is_named : {false, true}) {
        CAPTURE(is_named);
        CallRig rig({stream(90, event(91)), stream(0, event(1) + event(2) + last_word, 2)});
        rig.relay(is_named);
        CHECK(rig.client->written == event(91) + event(1) + event(2) + last_word);
    }
}

TEST_CASE("EventRelay: a refusal at the begin is the answer, later it ends the stream") {
    CallRig refused({whole(403, "no")});
    refused.relay(false);
    CHECK(refused.client->answer.status == 403);
    CHECK(refused.client->written == "no");
    CallRig revoked({stream(4, event(5)), whole(401, "no")});
    revoked.relay(false);
    CHECK(revoked.client->answer.status == 200);
    CHECK(revoked.client->written == event(5));
    CHECK_FALSE(revoked.client->was_cut);
}

TEST_CASE("LineUpload: the lines that were not answered are sent again, with the same refs") {
    CallRig rig({{"\"c\"", line_answers("{\"id\":\"1\"}\n{\"id")},
                 "",
                 {end_of_body, line_answers("{\"error\":{\"code\":\"x\",\"line\":1}}\n"
                                            "{\"id\":\"3\"}\n",
                                            end_of_body)}});
    rig.lines("{\"to\":\"a\"}\n\n{\"to\":\"b\",\"ref\":\"mine\"}\n{\"to\":\"c\"}");
    CHECK(rig.client->answer.status == 200);
    // Numbered as the client numbers them; nothing of a half answer.
    CHECK(rig.client->written ==
          "{\"id\":\"1\"}\n{\"error\":{\"code\":\"x\",\"line\":3}}\n{\"id\":\"3\"}\n");
    CHECK_FALSE(rig.client->was_cut);
    REQUIRE(rig.service.asked.size() == 3);
    CHECK(rig.service.asked[0].contains("{\"ref\":\"ref1\",\"to\":\"a\"}\n"));
    CHECK_FALSE(rig.service.asked[2].contains("\"a\""));
    CHECK(
        rig.service.asked[2].contains("{\"to\":\"b\",\"ref\":\"mine\"}\n"
                                      "{\"ref\":\"ref3\",\"to\":\"c\"}\n"));
}

TEST_CASE("LineUpload: continues with another service when one stops in the middle of the body") {
    CallRig rig({{"\"b\"", line_answers("{\"id\":\"1\"}\n", end_of_body)},
                 {end_of_body, line_answers("{\"id\":\"2\"}\n", end_of_body)}});
    rig.lines("{\"to\":\"a\"}\n{\"to\":\"b\"}\n");
    CHECK(rig.client->written == "{\"id\":\"1\"}\n{\"id\":\"2\"}\n");
}

TEST_CASE("LineUpload: a refusal is heard although the service takes no more of the body") {
    std::string body;
    while (body.size() < 512UL * 1024) {
        body += "{\"to\":\"a\"}\n";
    }
    CallRig rig({whole(400, "no")});
    rig.lines(body);
    CHECK(rig.client->answer.status == 400);
    CHECK(rig.client->written == "no");
}

TEST_CASE("LineUpload: a refusal of the service is its answer") {
    CallRig rig({whole(400, "no")});
    rig.lines("{\"to\":\"a\"}\n");
    CHECK(rig.client->answer.status == 400);
    CHECK(rig.client->written == "no");
}

TEST_CASE("LineUpload: a service that stays away is said, of each line that it did not answer") {
    const HurriedClock clock;
    CallRig rig(std::vector<Turn>(), clock);
    rig.lines("{\"to\":\"a\"}\n");
    CHECK(rig.client->answer.status == 503);
    CHECK(rig.client->written.contains("\"code\":\"overloaded\""));

    const HurriedClock later;
    CallRig begun({{"\"c\"", line_answers("{\"id\":\"1\"}\n")}}, later);
    begun.lines("{\"to\":\"a\"}\n{\"to\":\"b\"}\n{\"to\":\"c\"}\n");
    CHECK(begun.client->answer.status == 200);
    CHECK(begun.client->written.starts_with("{\"id\":\"1\"}\n{\"error\":{"));
    CHECK(begun.client->written.contains("\"code\":\"outcome_unknown\""));
    CHECK(begun.client->written.contains("\"line\":2}}\n"));
    CHECK(begun.client->written.ends_with("\"line\":3}}\n"));
    CHECK_FALSE(begun.client->was_cut);
}

TEST_CASE("Upload: a body that is not long is sent again") {
    CallRig rig({{"paris", ""}, {end_of_body, whole(200, "{}")}});
    rig.events("{\"topic\":\"paris\"}\n");
    CHECK(rig.client->answer.status == 200);
    CHECK(rig.client->written == "{}");
    CHECK(rig.service.asked[1].contains("paris"));
    CHECK(rig.service.asked[1].ends_with(end_of_body));
}

TEST_CASE("Upload: a long body is not kept, and its client hears so") {
    CallRig rig(std::vector<Turn>{{end_of_body, ""}});
    rig.events(std::string(3 * held_max, '\n'));
    CHECK(rig.client->answer.status == 503);
    CHECK(rig.client->written.contains("\"code\":\"outcome_unknown\""));
}

TEST_CASE("a slow client: the service's answer is read no further than held_max, until it takes") {
    constexpr int events = 20'000;  // half a MiB and more
    std::string many;
    for (int id = 5; id < 5 + events; ++id) {
        many += event(id);
    }
    CallRig rig({stream(4, many + last_word)});
    rig.client->is_slow = true;
    std::size_t held = 0;
    const auto looked = rig.loop.every(20ms, [&] {
        if (!rig.client->is_waited_for()) {
            return;
        }
        // Twice the same: nothing more is read.
        if (std::exchange(held, rig.client->written.size()) == rig.client->written.size()) {
            rig.client->drain();
        }
    });
    rig.relay(false);
    CHECK(held >= held_max);
    CHECK(held < 2 * held_max);
    CHECK(rig.client->written == many + last_word);
}

TEST_CASE("a slow client: its stream ends at once when its token is revoked") {
    std::string many;
    for (int id = 5; id < 20'000; ++id) {
        many += event(id);
    }
    CallRig rig({stream(4, many)});
    rig.client->is_slow = true;
    const auto looked = rig.loop.every(20ms, [&] {
        if (rig.client->is_waited_for()) {
            rig.client->revoke();
        }
    });
    rig.relay(false);
    CHECK(rig.client->was_cut);
    CHECK(rig.client->written.size() < 2 * held_max);
}
