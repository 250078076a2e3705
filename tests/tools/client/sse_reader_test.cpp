#include "tools/client/sse_reader.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack::client;

TEST_CASE("SseReader: events come out the same however the stream is cut") {
    const std::string stream =
        ": hello\n\nid: 7\nevent: message.sent\ndata: {\"id\":\"1\"}\n\ndata:a\r\ndata: "
        "b\r\n\r\nevent: only.a.name\n\nid: 8\ndata\n\n";
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        CAPTURE(size);
        SseReader reader;
        std::vector<SseEvent> events;
        for (std::size_t at = 0; at < stream.size(); at += size) {
            REQUIRE(reader.feed(std::string_view(stream).substr(at, size),
                                [&](const SseEvent& event) { events.push_back(event); }));
        }
        REQUIRE(events.size() == 3);
        CHECK(events[0].id == "7");
        CHECK(events[0].type == "message.sent");
        CHECK(events[0].data == "{\"id\":\"1\"}");
        CHECK(events[1].id == "7");
        CHECK(events[1].type == "message");
        CHECK(events[1].data == "a\nb");
        CHECK(events[2].id == "8");
        CHECK(events[2].data.empty());
    }
}

TEST_CASE("SseReader: an event without end is refused at its bound") {
    SseReader reader;
    const std::string piece(64 * 1024, 'x');
    int pieces = 0;
    while (pieces < 100 && reader.feed(piece, [](const SseEvent&) {})) {
        ++pieces;
    }
    CHECK(pieces == 16);
}
