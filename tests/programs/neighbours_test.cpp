// What another account of the machine can do to the service: not hurt it, and not the others.
#include "tests/support/rack.hpp"
#include "tools/client/http_client.hpp"
#include "tools/client/unique_fd.hpp"
#include "tools/rig/usage.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr uid_t attacker = 64'001;  // accounts that no system has
constexpr uid_t neighbour = 64'002;

/// What connects meanwhile does so as this user.
class As {
public:
    explicit As(uid_t user) { REQUIRE(seteuid(user) == 0); }
    As(const As&) = delete;
    As& operator=(const As&) = delete;
    ~As() { (void)seteuid(0); }
};

bool is_root() {
    if (geteuid() != 0) {
        MESSAGE("skipped: other accounts need root");
    }
    return geteuid() == 0;
}

/// Others pass to the socket.
void open_to_all(const Rack& rack) {
    const std::filesystem::path folder = std::filesystem::path(rack.socket()).parent_path();
    std::filesystem::permissions(folder, std::filesystem::perms{0711});
}

RackPlan plan(std::string config = {}) {
    return {.modems = 1, .config = "socket_mode = \"0666\"\n" + std::move(config)};
}

std::vector<client::UniqueFd> connect_as(uid_t user, const Rack& rack, int count,
                                         std::string_view says = {}) {
    rlimit limit{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    const As they(user);
    std::vector<client::UniqueFd> all;
    for (int i = 0; i < count; ++i) {
        auto fd = client::connect_unix(rack.socket().string());
        REQUIRE(fd);
        if (!says.empty()) {
            (void)send(fd->get(), says.data(), says.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        }
        all.push_back(std::move(*fd));
    }
    return all;
}

/// Both an administrator and another account are answered within a second.
void check_others(const Rack& rack, int serial) {
    const auto begun = steady_clock::now();
    CHECK(rack.http("GET", "/v1/status").status == 200);
    CHECK(steady_clock::now() - begun < 1s);
    const auto submit_at = steady_clock::now();
    {
        const As they(neighbour);
        CHECK(rack.http("POST", "/v1/messages",
                        fmt::format(R"({{"to":"+336000001{:02}","text":"x"}})", serial))
                  .status == 202);
    }
    CHECK(steady_clock::now() - submit_at < 1s);
}

}  // namespace

TEST_CASE("neighbours: idle connections of one account shut out no other account") {
    if (!is_root()) {
        return;
    }
    const Rack rack(plan());
    open_to_all(rack);
    const auto idle = connect_as(attacker, rack, 600);
    const auto more = connect_as(64'003, rack, 600);
    check_others(rack, 1);
    const std::string metrics = rack.http("GET", "/metrics").body;
    CHECK(metrics.contains("smsrack_http_connections_total{result=\"dropped\"}"));
    CHECK_FALSE(metrics.contains("smsrack_http_connections_total{result=\"dropped\"} 0\n"));
    CHECK(rack.service_log().contains("event=api_connection_dropped account=64001"));
}

TEST_CASE(
    "neighbours: what one account asks for and does not read costs the memory that is allowed") {
    if (!is_root()) {
        return;
    }
    Rack rack(plan());
    open_to_all(rack);
    std::string lines;
    for (int i = 0; i < 1'000; ++i) {
        lines += fmt::format(
            R"({{"to":"+3361{:07}","text":"x","not_before":"2099-01-01T00:00:00Z","ref":"{:0>60}"}})"
            "\n",
            i, i);
    }
    {
        const As they(attacker);  // whose messages they are: it sees no others in its lists
        REQUIRE(rack.http("POST", "/v1/messages", lines, "Content-Type: application/x-ndjson\r\n")
                    .status == 200);
        REQUIRE(rack.get("/v1/messages?limit=1000").at("messages").size() > 500);
    }
    const auto resident = [&] { return rig::memory_of(rack.service().pid())->rss; };
    const auto idle = resident();
    std::string requests;
    for (int i = 0; i < 28; ++i) {
        requests += "GET /v1/messages?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n";
    }
    const auto readers = connect_as(attacker, rack, 200, requests);
    const auto streams = connect_as(
        attacker, rack, 100, "GET /v1/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 0\r\n\r\n");
    std::uint64_t most = 0;
    const auto until = steady_clock::now() + 5s;
    for (int i = 1; steady_clock::now() < until; ++i) {
        check_others(rack, i);
        most = std::max(most, resident());
    }
    CHECK(most - idle < 64UL << 20);
}

TEST_CASE("neighbours: a configuration that is nested too deeply is refused at a reload") {
    const Rack rack({.modems = 1});
    std::string key = "a";
    for (int i = 0; i < 30'000; ++i) {
        key += ".a";
    }
    std::ofstream(rack.config_file(), std::ios::app) << "\n" << key << " = 1\n";
    const auto answer = rack.http("POST", "/v1/reload");
    CHECK(answer.status == 400);
    CHECK(answer.json().value("detail", "").contains("a key of more than 16 parts"));
    CHECK(rack.http("GET", "/healthz").status == 200);
}

}  // namespace smsrack::test
