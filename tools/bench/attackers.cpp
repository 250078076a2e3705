#include "tools/bench/attackers.hpp"

#include "src/wire/json.hpp"
#include "tools/client/http_client.hpp"
#include "tools/client/unique_fd.hpp"
#include "tools/rig/message_form.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <vector>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto tick = 20ms;
constexpr int connects_a_tick = 50;  // 2,500 a second

enum class Kind : std::uint8_t { pipelined, stream, lines, idle, slow_body, leaver };

struct KindRow {
    Kind kind;
    const char* name;
    int connections;
};

// More than the service has places for, of each kind enough to have all of them alone.
constexpr std::array kinds{
    KindRow{Kind::pipelined, "pipelined readers that never read", 200},
    KindRow{Kind::stream, "event streams that never read", 100},
    KindRow{Kind::lines, "senders of lines who never read", 50},
    KindRow{Kind::idle, "idle connections", 700},
    KindRow{Kind::slow_body, "bodies of an octet a second", 100},
    KindRow{Kind::leaver, "askers who leave", 30},
};

std::string repeated(std::string_view text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

constexpr std::string_view list_request = "GET /v1/messages?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n";

/// What is sent at once when the connection is there.
std::string greeting(Kind kind) {
    switch (kind) {
        case Kind::pipelined:
            return repeated(list_request, 24) +
                   repeated("GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", 12);
        case Kind::stream:
            return "GET /v1/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 0\r\n\r\n";
        case Kind::lines:
            return "POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n"
                   "Content-Length: 1000000000\r\n\r\n";
        case Kind::idle:
            return "";
        case Kind::slow_body:
            return "POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n";
        case Kind::leaver:
            return std::string(list_request);
    }
    return "";
}

struct Connection {
    Kind kind = Kind::idle;
    client::UniqueFd fd = {};
    std::string to_send = {};
    steady_clock::time_point next_octet = {};
};

class Attackers {
public:
    explicit Attackers(const AttackPlan& plan) : plan_(plan) {
        for (const KindRow& row : kinds) {
            for (int i = 0; i < row.connections; ++i) {
                connections_.push_back({.kind = row.kind});
            }
        }
        std::memset(&address_, 0, sizeof address_);
        address_.sun_family = AF_UNIX;
        plan_.socket.string().copy(address_.sun_path, sizeof address_.sun_path - 1);
    }

    void run() {
        const auto until = steady_clock::now() + plan_.lasting;
        while (steady_clock::now() < until) {
            const auto next = steady_clock::now() + tick;
            close_ended();
            connect_some();
            for (Connection& connection : connections_) {
                act(connection);
            }
            lock_files();
            std::this_thread::sleep_until(next);
        }
        fmt::print("connections made: {}, ended by the service: {}, locks held: {}\n", connects_,
                   ended_, locks_.size());
    }

private:
    void connect_some() {
        int left = connects_a_tick;
        for (std::size_t i = 0; i < connections_.size() && left > 0; ++i) {
            turn_ = (turn_ + 1) % connections_.size();
            Connection& connection = connections_[turn_];
            if (connection.fd) {
                continue;
            }
            --left;
            client::UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
            if (!fd || connect(fd.get(), reinterpret_cast<const sockaddr*>(&address_),
                               sizeof address_) != 0) {
                return;  // its backlog is full
            }
            ++connects_;
            connection.fd = std::move(fd);
            connection.to_send = greeting(connection.kind);
            connection.next_octet = steady_clock::now() + 1s;
        }
    }

    void act(Connection& connection) {
        if (!connection.fd) {
            return;
        }
        if (connection.kind == Kind::lines && connection.to_send.empty()) {
            connection.to_send = bad_lines_;
        }
        if (connection.kind == Kind::slow_body && steady_clock::now() >= connection.next_octet) {
            connection.to_send += 'x';
            connection.next_octet += 1s;
        }
        while (!connection.to_send.empty()) {
            const ssize_t sent = send(connection.fd.get(), connection.to_send.data(),
                                      connection.to_send.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent <= 0) {
                break;
            }
            connection.to_send.erase(0, static_cast<std::size_t>(sent));
        }
        if (connection.kind == Kind::leaver && connection.to_send.empty()) {
            connection.fd = {};
        }
    }

    void close_ended() {
        std::vector<pollfd> polled;
        for (const Connection& connection : connections_) {
            polled.push_back({.fd = connection.fd.get(), .events = POLLRDHUP, .revents = 0});
        }
        if (poll(polled.data(), polled.size(), 0) <= 0) {
            return;
        }
        for (std::size_t i = 0; i < polled.size(); ++i) {
            if (polled[i].revents != 0) {
                connections_[i].fd = {};
                ++ended_;
            }
        }
    }

    /// Both kinds of locks that the service uses itself, on each file that may be opened.
    void lock_files() {
        for (const char* name : {"smsrack.db", "smsrack.db-shm", "smsrack.db-wal", "lock"}) {
            const auto path = plan_.state_dir / name;
            if (std::ranges::find(locked_, path) != locked_.end()) {
                continue;
            }
            client::UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
            struct flock whole {};
            whole.l_type = F_RDLCK;
            if (fd && (fcntl(fd.get(), F_OFD_SETLK, &whole) == 0 ||
                       flock(fd.get(), LOCK_EX | LOCK_NB) == 0)) {
                locks_.push_back(std::move(fd));
                locked_.push_back(path);
            }
        }
    }

    const AttackPlan& plan_;
    sockaddr_un address_;
    std::vector<Connection> connections_;
    const std::string bad_lines_ = repeated("{\"to\":\"x\",\"text\":\"y\"}\n", 1'000);
    std::vector<client::UniqueFd> locks_;
    std::vector<std::filesystem::path> locked_;
    std::size_t turn_ = 0;
    std::size_t connects_ = 0;
    std::size_t ended_ = 0;
};

void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

}  // namespace

void run_attackers(const AttackPlan& plan) {
    raise_descriptor_limit();
    Attackers(plan).run();
}

void run_victim(const std::filesystem::path& socket, std::chrono::seconds lasting) {
    rig::MessageForm form(1);
    const auto until = steady_clock::now() + lasting;
    for (std::uint64_t serial = 0; steady_clock::now() < until; ++serial) {
        const auto begun = steady_clock::now();
        const std::string line(form.line(serial));
        const auto reply = client::HttpClient(socket.string(), {})
                               .call({.method = "POST",
                                      .target = "/v1/messages",
                                      .headers = {{"Content-Type", "application/json"}},
                                      .body = line});
        const double ms =
            std::chrono::duration<double, std::milli>(steady_clock::now() - begun).count();
        const auto json = wire::parse_json(reply ? reply->body : "");
        const bool accepted = reply && reply->status() == 202 && json;
        fmt::print("{} {} {} {:.3f}\n", reply ? reply->status() : 0,
                   accepted ? json->at("id").get<std::string>() : "-",
                   rig::MessageForm::recipient(serial), ms);
        (void)std::fflush(stdout);
        std::this_thread::sleep_until(begun + 50ms);
    }
}

}  // namespace smsrack::bench
