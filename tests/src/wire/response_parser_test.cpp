#include "src/wire/response_parser.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::wire;

namespace {

struct Parsed {
    bool good = false;
    bool complete = false;
    int status = 0;
    std::string body = {};
    std::string left = {};
    bool keeps_alive = false;
};

/// Feeds `text` in pieces of `size` octets; with `ends` the connection ends behind it.
Parsed parsed(std::string_view text, std::size_t size, bool ends = false) {
    ResponseParser parser;
    Parsed result;
    const auto take = [&](const ReplyHead&, std::string_view piece) { result.body += piece; };
    while (!text.empty()) {
        std::string_view piece = text.substr(0, size);
        text.remove_prefix(piece.size());
        if (!parser.feed(piece, take)) {
            return result;
        }
        result.left += piece;
    }
    result.good = !ends || parser.end_of_stream().has_value();
    result.complete = parser.complete();
    result.status = parser.head().status;
    result.keeps_alive = parser.keeps_alive();
    return result;
}

}  // namespace

TEST_CASE("ResponseParser: a response is the same however it is cut") {
    struct Case {
        const char* text;
        const char* body;
        const char* left;
    };
    for (const Case& one : {
             Case{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP", "hello", "HTTP"},
             Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: "
                  "chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n",
                  "hello", ""},
             Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\nA\r\n0123456789\r\n0\r\nT: "
                  "1\r\n\r\n",
                  "0123456789", ""},
             Case{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX: "
                  "y\r\nContent-Length:1\r\n\r\n!",
                  "!", ""},
             Case{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", ""},
             Case{"HTTP/1.1 204 No Content\r\n\r\n", "", ""},
         }) {
        for (std::size_t size = 1; size <= 80; ++size) {
            CAPTURE(one.text);
            CAPTURE(size);
            const Parsed result = parsed(one.text, size);
            REQUIRE(result.good);
            CHECK(result.complete);
            CHECK(result.status / 100 == 2);
            CHECK(result.body == one.body);
            CHECK(result.left == one.left);
            CHECK(result.keeps_alive);
        }
    }
}

TEST_CASE("ResponseParser: a body without a length extends to the end of the connection") {
    const Parsed result = parsed("HTTP/1.1 200 OK\r\n\r\nall of this", 4, true);
    CHECK(result.good);
    CHECK(result.complete);
    CHECK(result.body == "all of this");
    CHECK_FALSE(result.keeps_alive);
}

TEST_CASE("ResponseParser: an end in the middle is an error") {
    for (const char* text :
         {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "HTTP/1.1 200",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", ""}) {
        CAPTURE(text);
        CHECK_FALSE(parsed(text, 7, true).good);
    }
}

TEST_CASE("ResponseParser: what is no response is refused") {
    for (const char* text :
         {"hello\r\n", "HTTP/2 200 OK\r\n", "HTTP/1.1 abc\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"}) {
        CAPTURE(text);
        CHECK_FALSE(parsed(text, 3).good);
    }
    CHECK_FALSE(parsed(std::string(70'000, 'x'), 1'000).good);
}
