// Which answers are packed, and that they are the same when unpacked.
#include "firmware-host/gate/gzip.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>
#include <zlib.h>

using namespace smsrack;
using namespace smsrack::gate;

namespace {

std::string unpacked(const std::string& packed) {
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
    std::string out(1UL << 20, '\0');
    std::string in = packed;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

bool is_packed(const wire::HttpResponse& response) {
    return std::ranges::any_of(response.headers, [](const wire::HeaderField& field) {
        return field.name == "Content-Encoding" && field.value == "gzip";
    });
}

wire::HttpResponse answer(std::size_t size) {
    return {.body = std::string(size, 'x')};
}

}  // namespace

TEST_CASE("gzip: what was packed is the same again") {
    std::string text;
    for (int i = 0; i < 20'000; ++i) {
        text += std::to_string(i * i);
    }
    for (const std::string& one : {std::string(), std::string("{}"), text}) {
        CHECK(unpacked(gzip(one)) == one);
    }
    CHECK(gzip(text).size() < text.size());
}

TEST_CASE("gzip: JSON above 1 KiB that was answered well, and nothing else") {
    wire::HttpResponse large = answer(gzip_from + 1);
    pack(large);
    CHECK(is_packed(large));
    CHECK(unpacked(large.body) == std::string(gzip_from + 1, 'x'));
    wire::HttpResponse small = answer(gzip_from);
    pack(small);
    CHECK_FALSE(is_packed(small));
    wire::HttpResponse refused = answer(2 * gzip_from);
    refused.status = 404;
    pack(refused);
    CHECK_FALSE(is_packed(refused));
    wire::HttpResponse events = answer(2 * gzip_from);
    events.content_type = "text/event-stream";
    pack(events);
    CHECK_FALSE(is_packed(events));
    wire::HttpResponse twice = large;
    pack(twice);
    CHECK(twice.body == large.body);
}

TEST_CASE("gzip: no answer that may have something of its request in it") {
    using Params = std::vector<std::pair<std::string, std::string>>;
    struct Case {
        const char* method;
        const char* path;
        Params params;
        bool may;
    };
    for (const Case& it :
         {Case{"GET", "/v1/messages", {}, true},
          Case{"GET", "/v1/messages", {{"limit", "1000"}, {"since", "x"}, {"text", "true"}}, true},
          Case{"GET", "/v1/messages", {{"q", "0612"}}, false},
          Case{"GET", "/v1/messages", {{"contains", "word"}}, false},
          Case{"GET", "/v1/messages", {{"to", "+33612345678"}}, false},
          Case{"GET", "/v1/messages", {{"ref", "a"}}, false},
          Case{"GET", "/v1/messages", {{"unknown", "a"}}, false},
          Case{"GET", "/v1/history", {{"to", "2026-11-26T00:00:00Z"}}, true},
          Case{"GET", "/v1/conversations/+33612345678", {}, false},
          Case{"GET", "/v1/messages/4711", {}, false}, Case{"POST", "/v1/preview", {}, false},
          Case{"POST", "/v1/messages", {}, false}, Case{"GET", "/v1/events", {}, false},
          Case{"HEAD", "/v1/messages", {}, false}}) {
        CAPTURE(it.method);
        CAPTURE(it.path);
        CHECK(may_pack({.method = it.method, .path = it.path, .params = it.params}) == it.may);
    }
}

TEST_CASE("gzip: only for a client that takes it") {
    struct Case {
        const char* accepts;
        bool takes;
    };
    for (const Case& it :
         {Case{"gzip", true}, Case{"deflate, gzip, br", true}, Case{"gzip;q=0.5", true},
          Case{" br , gzip ; q=1 ", true}, Case{"", false}, Case{"br", false},
          Case{"gzip;q=0", false}, Case{"gzip; q=0.000", false}, Case{"x-gzip2", false}}) {
        CAPTURE(it.accepts);
        CHECK(takes_gzip({.headers = {{"accept-encoding", it.accepts}}}) == it.takes);
    }
    CHECK_FALSE(takes_gzip({}));
}
