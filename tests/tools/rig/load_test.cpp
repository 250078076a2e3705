#include "src/wire/json.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/short_reply.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

TEST_CASE("MessageForm: each message has its own number and ref, and all else is alike") {
    rig::MessageForm form(3);
    for (const std::uint64_t serial : {0U, 42U, 99'999'999U}) {
        CAPTURE(serial);
        const auto json = wire::parse_json(form.line(serial));
        REQUIRE(json);
        CHECK(json->at("to") == rig::MessageForm::recipient(serial));
        CHECK(json->at("ref").get<std::string>().starts_with("0003-"));
        CHECK(json->at("text") == rig::forty_letters);
        CHECK(json->at("report") == false);
    }
    CHECK(rig::MessageForm::recipient(42) == "+33600000042");
    CHECK(wire::parse_json(form.line(1))->at("ref") != wire::parse_json(form.line(2))->at("ref"));
}

TEST_CASE("MessageForm: runs do not share their refs") {
    rig::MessageForm one(1);
    rig::MessageForm two(2);
    CHECK(wire::parse_json(one.line(7))->at("ref") != wire::parse_json(two.line(7))->at("ref"));
}

TEST_CASE("MessageForm: a request is the line as a body of the length it names") {
    rig::MessageForm form(1);
    const std::string line(form.line(123));
    const std::string request(form.request(123));
    const auto head_end = request.find("\r\n\r\n");
    REQUIRE(head_end != std::string::npos);
    const std::string body = request.substr(head_end + 4);
    CHECK(body + "\n" == line);
    CHECK(request.contains("Content-Length: " + std::to_string(body.size()) + "\r\n"));
}

TEST_CASE("short replies: whole ones are recognised by status and size, however they are written") {
    struct Case {
        const char* text;
        int status;
        std::size_t size;
    };
    for (const Case& one : {
             Case{"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}", 202, 46},
             Case{"HTTP/1.1 503 Busy\r\nX: content-length: 9\r\ncontent-length:2\r\n\r\n{}", 503,
                  63},
             Case{"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\nHTTP", 202, 44},
             Case{"SSH-2.0-nothing here\r\n", 0, 0},
         }) {
        CAPTURE(one.text);
        const auto reply = rig::read_short_reply(one.text);
        REQUIRE(reply);
        CHECK(reply->status == one.status);
        CHECK(reply->size == one.size);
    }
}

TEST_CASE("short replies: a part of one is none yet") {
    const std::string whole = "HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}";
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(rig::read_short_reply(std::string_view(whole).substr(0, size)));
    }
}
