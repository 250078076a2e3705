#include "src/wire/http1.hpp"

#include "tests/support/hostile_requests.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack::wire;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

struct Seen {
    std::vector<HttpRequest> requests;  ///< whole ones, with their bodies
    int refused = 0;                    ///< the status, 0: none
    std::string rest;                   ///< octets not taken
};

/// Feeds `text` in pieces of `piece` octets.
Seen parse(std::string_view text, std::size_t piece, Http1Limits limits = {}) {
    Http1Parser parser(limits);
    Seen seen;
    HttpRequest current;
    std::string body;
    for (std::size_t from = 0; from < text.size() && seen.refused == 0; from += piece) {
        std::string_view input = text.substr(from, piece);
        for (bool more = true; more;) {
            switch (parser.next(input)) {
                case Http1Parser::Step::need_more:
                    more = false;
                    break;
                case Http1Parser::Step::head:
                    current = std::move(parser.head());
                    body.clear();
                    break;
                case Http1Parser::Step::body:
                    body += parser.body();
                    break;
                case Http1Parser::Step::complete:
                    current.body = body;
                    seen.requests.push_back(std::move(current));
                    break;
                case Http1Parser::Step::refused:
                    seen.refused = parser.refusal().status;
                    CHECK_FALSE(parser.refusal().reason.empty());
                    more = false;
                    break;
            }
        }
        seen.rest = input;
    }
    return seen;
}

}  // namespace

TEST_CASE("Http1Parser: a request is the same whole, in pieces and octet by octet") {
    const std::string text =
        "POST /v1/messages?to=%2B336&state=sent HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
        "application/json\r\n"
        "Content-Length: 5\r\n\r\nhello"
        "GET /metrics HTTP/1.1\r\nhOST:localhost\r\nConnection: close\r\n\r\n";
    for (const std::size_t piece :
         {text.size(), std::size_t{1}, std::size_t{7}, std::size_t{100}}) {
        CAPTURE(piece);
        const Seen seen = parse(text, piece);
        REQUIRE(seen.refused == 0);
        REQUIRE(seen.requests.size() == 2);
        const HttpRequest& post = seen.requests[0];
        CHECK(post.method == "POST");
        CHECK(post.path == "/v1/messages");
        REQUIRE(post.params.size() == 2);
        CHECK(post.params[0].first == "to");
        CHECK(post.params[0].second == "+336");
        CHECK(post.header("content-type") == "application/json");
        CHECK(post.body == "hello");
        CHECK(post.keep_alive);
        CHECK(post.has_body);
        CHECK(seen.requests[1].method == "GET");
        CHECK(seen.requests[1].header("host") == "localhost");
        CHECK_FALSE(seen.requests[1].keep_alive);
        CHECK_FALSE(seen.requests[1].has_body);
    }
}

TEST_CASE("Http1Parser: a chunked body is put together, and the next request follows") {
    const std::string text =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n "
        "\r\n5\r\nworld\r\n0\r\n\r\n"
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    for (const std::size_t piece : {text.size(), std::size_t{1}, std::size_t{3}}) {
        CAPTURE(piece);
        const Seen seen = parse(text, piece);
        CHECK(seen.refused == 0);
        REQUIRE(seen.requests.size() == 2);
        CHECK(seen.requests[0].body == "hello world");
        CHECK(seen.requests[1].method == "GET");
    }
}

TEST_CASE("Http1Parser: what two readers could read in two ways is refused") {
    for (const smsrack::test::HostileRequest& it : smsrack::test::hostile_requests()) {
        CAPTURE(it.what);
        for (const std::size_t piece : {std::size_t{1}, it.text.size()}) {
            CAPTURE(piece);
            const Seen seen = parse(it.text, piece);
            CHECK(seen.refused == it.status);
            CHECK(seen.requests.empty());
        }
    }
}

TEST_CASE("Http1Parser: what is merely unusual is taken") {
    struct Case {
        std::string so;
        std::string text;
    };
    for (const Case& it : {
             Case{"empty lines before the request", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
             Case{"1.0 without Host", "GET / HTTP/1.0\r\n\r\n"},
             Case{"an absolute target", "GET http://localhost/ HTTP/1.1\r\nHost: a\r\n\r\n"},
             Case{"an upgrade that we ignore",
                  "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"},
             Case{"an empty value", "GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n"},
             Case{"a zero length", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"},
             Case{"an upper case coding",
                  "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n"},
         }) {
        CAPTURE(it.so);
        for (const std::size_t piece : {std::size_t{1}, it.text.size()}) {
            const Seen seen = parse(it.text, piece);
            CHECK(seen.refused == 0);
            REQUIRE(seen.requests.size() == 1);
            CHECK(seen.requests[0].path == "/");
            CHECK(seen.requests[0].body.empty());
        }
    }
}

TEST_CASE("Http1Parser: heads beyond the limits are refused as such, however they come") {
    const Http1Limits limits{.head_bytes_max = 200, .headers_max = 3};
    const std::string start = "GET / HTTP/1.1\r\nHost: a\r\n";
    const std::string long_head = start + "X: " + std::string(200, 'x') + "\r\n\r\n";
    const std::string many = start + "A: 1\r\nB: 2\r\nC: 3\r\n\r\n";
    const std::string endless = start + "X: " + std::string(1'000'000, 'x');
    const std::string empty_lines(1'000, '\r');
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1'000'000}}) {
        CHECK(parse(long_head, piece, limits).refused == 431);
        CHECK(parse(many, piece, limits).refused == 431);
        CHECK(parse(endless, piece, limits).refused == 431);
        CHECK(parse(start + "A: 1\r\nB: 2\r\n\r\n", piece, limits).refused == 0);
    }
}

TEST_CASE("Http1Parser: at rest is only between messages") {
    Http1Parser parser({});
    CHECK(parser.at_rest());
    std::string_view input = "G"sv;
    CHECK(parser.next(input) == Http1Parser::Step::need_more);
    CHECK_FALSE(parser.at_rest());
    input = "ET / HTTP/1.1\r\nHost: a\r\n\r\n"sv;
    CHECK(parser.next(input) == Http1Parser::Step::head);
    CHECK(parser.next(input) == Http1Parser::Step::complete);
    CHECK(parser.at_rest());
}

TEST_CASE("append_head: 204 has neither a body nor its type and length") {
    std::string out;
    append_head(out, {.status = 204}, Framing::length, true);
    CHECK(out == "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST_CASE("append_head: the three framings") {
    const HttpResponse response{.status = 404, .headers = {{"Allow", "GET"}}, .body = "abc"};
    std::string out;
    append_head(out, response, Framing::length, true);
    CHECK(out ==
          "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 3\r\nAllow: "
          "GET\r\n\r\n");
    out.clear();
    append_head(out, response, Framing::chunked, false);
    CHECK(out.contains("Transfer-Encoding: chunked\r\n"));
    CHECK(out.contains("Connection: close\r\n"));
    out.clear();
    append_head(out, response, Framing::until_close, false);
    CHECK_FALSE(out.contains("Content-Length"));
    out.clear();
    append_chunk(out, "hello world, sixteen");
    append_chunk(out, "");
    CHECK(out == "14\r\nhello world, sixteen\r\n");
}
