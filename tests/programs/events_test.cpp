// Server-sent events: a subscriber that was away misses nothing.
#include "tests/support/rack.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace smsrack::test {

namespace {

struct SseEvent {
    std::string id;
    std::string type;
    wire::Json data;
};

class Subscriber {
public:
    explicit Subscriber(const Rack& rack, const std::string& last_event_id = {},
                        const std::string& query = {})
        : stream_(rack.socket()) {
        const std::string resume =
            last_event_id.empty() ? "" : "Last-Event-ID: " + last_event_id + "\r\n";
        REQUIRE(stream_.send(
            fmt::format("GET /v1/events{} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", query, resume)));
        REQUIRE(stream_.receive_until("\r\n\r\n").contains("text/event-stream"));
    }

    /// The next event; comments that keep the connection alive are passed over.
    SseEvent next() {
        while (true) {
            SseEvent event;
            const std::string block = stream_.receive_until("\n\n");
            REQUIRE_FALSE(block.empty());
            event.id = field(block, "id:");
            event.type = field(block, "event:");
            if (const auto data = field(block, "data:"); !data.empty()) {
                event.data = wire::parse_json(data).value();
                return event;
            }
        }
    }

    /// All up to the `count`th event of type `type`.
    std::vector<SseEvent> until(const std::string& type, std::size_t count) {
        std::vector<SseEvent> all;
        while (count > 0) {
            all.push_back(next());
            count -= all.back().type == type ? 1 : 0;
        }
        return all;
    }

private:
    static std::string field(const std::string& block, const std::string& name) {
        const auto at = block.starts_with(name) ? 0 : block.find("\n" + name);
        if (at == std::string::npos) {
            return {};
        }
        const auto from = block.find(':', at) + 1;
        const std::string value = block.substr(from, block.find('\n', from) - from);
        return value.starts_with(' ') ? value.substr(1) : value;
    }

    UnixStream stream_;
};

std::vector<std::string> ids_of(const std::vector<SseEvent>& events) {
    std::vector<std::string> ids;
    for (const SseEvent& event : events) {
        ids.push_back(event.id);
    }
    return ids;
}

void send(const Rack& rack, int first, int count) {
    for (int n = first; n < first + count; ++n) {
        (void)rack.submit({{"to", fmt::format("+336001{:05}", n)}, {"text", "event"}});
    }
}

}  // namespace

TEST_CASE("a subscriber sees a message's states in order") {
    const Rack rack({.modems = 1});
    Subscriber subscriber(rack, {},
                          "?types=message.queued,message.sending,message.sent,message.delivered");
    send(rack, 0, 1);
    std::vector<std::string> types;
    for (const SseEvent& event : subscriber.until("message.delivered", 1)) {
        types.push_back(event.type);
    }
    CHECK(types == std::vector<std::string>{"message.queued", "message.sending", "message.sent",
                                            "message.delivered"});
}

TEST_CASE(
    "Last-Event-ID resumes behind that event, with nothing missed and nothing twice, also over a "
    "kill") {
    Rack rack({.modems = 1});
    std::vector<std::string> seen;
    std::string first_id;
    {
        Subscriber subscriber(rack);
        send(rack, 0, 5);
        const auto events = subscriber.until("message.delivered", 2);  // leaves in the middle
        seen = ids_of(events);
        first_id = events.front().id;
    }
    send(rack, 5, 5);
    CHECK(rack.reaches(rack.submit({{"to", "+33600199999"}, {"text", "last"}}), "delivered"));
    rack.kill_service();
    rack.start_service();

    Subscriber resumed(rack, seen.back());
    for (const auto& id : ids_of(resumed.until("message.delivered", 9))) {
        seen.push_back(id);
    }
    Subscriber from_the_first(rack, first_id);
    auto all = ids_of(from_the_first.until("message.delivered", 11));
    all.insert(all.begin(), first_id);
    CHECK(seen == all);
}

TEST_CASE(
    "a subscriber whose last id is of a database that is gone misses nothing of the new one") {
    Rack rack({.modems = 1});
    std::string last;
    {
        Subscriber subscriber(rack);
        send(rack, 0, 5);
        last = subscriber.until("message.delivered", 5).back().id;
    }
    REQUIRE(rack.stop_service().code == 0);
    for (const char* ending : {"", "-wal", "-shm"}) {
        std::filesystem::remove(rack.state_dir() / (std::string("smsrack.db") + ending));
    }
    rack.start_service();
    const std::string id = rack.submit({{"to", "+33600199998"}, {"text", "said meanwhile"}});
    CHECK(rack.reaches(id, "delivered"));
    Subscriber resumed(rack, last, "?types=message.queued,message.delivered");
    const auto events = resumed.until("message.delivered", 1);
    REQUIRE(events.size() == 2);
    CHECK(events.front().type == "message.queued");
    CHECK(events.front().data.at("id") == id);
}

}  // namespace smsrack::test
