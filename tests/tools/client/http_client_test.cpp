#include "tools/client/http_client.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <vector>

using namespace smsrack;
using namespace smsrack::client;
using namespace std::chrono_literals;

namespace {

struct Pair {
    UniqueFd ours;
    UniqueFd theirs;
};

Pair connected_pair() {
    std::array<int, 2> fds{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) == 0);
    return {.ours = UniqueFd(fds[0]), .theirs = UniqueFd(fds[1])};
}

void say(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

/// Reads until `text` has come, or the end.
std::string heard_until(int fd, std::string_view text) {
    std::string heard;
    char c = 0;
    while (!heard.contains(text) && ::read(fd, &c, 1) == 1) {
        heard += c;
    }
    return heard;
}

}  // namespace

TEST_CASE("HttpClient: two calls go over one connection") {
    Pair pair = connected_pair();
    HttpClient client(std::move(pair.ours), {});
    std::vector<std::string> heard;
    std::jthread server([&] {
        heard.push_back(heard_until(pair.theirs.get(), "\r\n\r\n"));
        say(pair.theirs.get(), "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK");
        heard.push_back(heard_until(pair.theirs.get(), "{}"));
        say(pair.theirs.get(),
            "HTTP/1.1 404 Not Found\r\nRetry-After: 5\r\nContent-Length: 4\r\n\r\nnone");
    });
    const auto first = client.call({.target = "/v1/status"});
    REQUIRE(first);
    CHECK(first->ok());
    CHECK(first->body == "OK");
    const auto second = client.call(
        {.method = "POST", .target = "/v1/x", .headers = {{"Content-Type", "a/b"}}, .body = "{}"});
    REQUIRE(second);
    CHECK(second->status() == 404);
    CHECK(second->head.header("retry-after") == "5");
    CHECK(second->body == "none");
    server.join();
    CHECK(heard[0] == "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(heard[1] ==
          "POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Type: a/b\r\nContent-Length: "
          "2\r\n\r\n{}");
}

TEST_CASE("HttpClient: a streamed body and its streamed answer do not wait for each other") {
    Pair pair = connected_pair();
    HttpClient client(std::move(pair.ours), {.idle_timeout = 10s});
    std::jthread server([fd = pair.theirs.get()] {
        heard_until(fd, "\r\n\r\n");
        say(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        const std::string answer = "3E8\r\n" + std::string(1'000, 'a') + "\r\n";
        // As much as is asked is answered at once: more than all buffers of a socket hold, in both
        // directions.
        std::string buffer(1'000, '\0');
        std::size_t heard = 0;
        while (!buffer.contains("0\r\n\r\n")) {
            const ssize_t count = ::read(fd, buffer.data(), buffer.size());
            if (count <= 0) {
                return;
            }
            heard += static_cast<std::size_t>(count);
            say(fd, answer);
            buffer.resize(static_cast<std::size_t>(count));
            if (buffer.contains("0\r\n\r\n")) {
                break;
            }
            buffer.resize(1'000);
        }
        say(fd, "0\r\n\r\n");
    });
    std::size_t given = 0;
    std::size_t taken = 0;
    bool told_head = false;
    const auto reply = client.stream(
        {.method = "POST", .target = "/"},
        [&]() -> std::optional<std::string> {
            given += 1'000;
            return given <= 4'000'000 ? std::string(1'000, 'q') : std::string();
        },
        [&](std::string_view piece) {
            told_head = told_head || piece.empty();
            taken += piece.size();
            return true;
        });
    REQUIRE(reply);
    CHECK(reply->ok());
    CHECK(told_head);
    CHECK(taken > 4'000'000);
    CHECK(reply->body.empty());
}

TEST_CASE("HttpClient: a refusal in the middle of a streamed body is read and told") {
    Pair pair = connected_pair();
    HttpClient client(std::move(pair.ours), {.idle_timeout = 10s});
    std::jthread server([&pair] {
        heard_until(pair.theirs.get(), "\r\n\r\n");
        say(pair.theirs.get(),
            "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig");
        pair.theirs.reset();
    });
    const auto reply =
        client.stream({.method = "POST", .target = "/"},
                      [] { return std::optional<std::string>(std::string(10'000, 'q')); }, {});
    // The answer may be lost when the socket is reset under unread octets; then it says that the
    // service went away.
    if (reply) {
        CHECK(reply->status() == 413);
        CHECK(reply->body == "big");
    } else {
        CHECK(reply.error().code == Errc::closed);
    }
}

TEST_CASE("HttpClient: a sink that has enough ends the call") {
    Pair pair = connected_pair();
    HttpClient client(std::move(pair.ours), {});
    std::jthread server([fd = pair.theirs.get()] {
        heard_until(fd, "\r\n\r\n");
        say(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
        heard_until(fd, "never");
    });
    std::string seen;
    const auto reply = client.stream({.target = "/v1/events"}, {}, [&](std::string_view piece) {
        seen += piece;
        return seen != "one";
    });
    REQUIRE(reply);
    CHECK(seen == "one");
}

TEST_CASE("HttpClient: silence, a closed connection and a stop are distinguished") {
    SUBCASE("silence") {
        Pair pair = connected_pair();
        HttpClient client(std::move(pair.ours), {.idle_timeout = 20ms});
        const auto reply = client.call({});
        REQUIRE_FALSE(reply);
        CHECK(reply.error().code == Errc::timeout);
    }
    SUBCASE("closed") {
        Pair pair = connected_pair();
        HttpClient client(std::move(pair.ours), {});
        std::jthread server([&pair] {
            heard_until(pair.theirs.get(), "\r\n\r\n");
            pair.theirs.reset();
        });
        const auto reply = client.call({});
        REQUIRE_FALSE(reply);
        CHECK(reply.error().code == Errc::closed);
        CHECK(reply.error().detail == 0);
    }
    SUBCASE("stop") {
        Pair pair = connected_pair();
        Pair stop = connected_pair();
        HttpClient client(std::move(pair.ours), {.stop_fd = stop.ours.get()});
        say(stop.theirs.get(), "!");
        const auto reply = client.call({});
        REQUIRE_FALSE(reply);
        CHECK(reply.error().code == Errc::closed);
        CHECK(reply.error().detail == EINTR);
    }
}

TEST_CASE("HttpClient: where no process listens it says so") {
    HttpClient client("/nowhere/at/all.sock", {});
    const auto reply = client.call({});
    REQUIRE_FALSE(reply);
    CHECK(reply.error().code == Errc::no_device);
    CHECK(reply.error().detail == ENOENT);
    HttpClient too_long("/" + std::string(200, 'x'), {});
    CHECK(too_long.call({}).error().code == Errc::no_device);
}

TEST_CASE("percent_encoded: what a query can't hold is escaped") {
    CHECK(percent_encoded("+33 6-1.2_3~") == "%2B33%206-1.2_3~");
    CHECK(percent_encoded("é&=") == "%C3%A9%26%3D");
}
