/// The service's side of SMPP for tests of the gate: it keeps the lines that are handed in, and says what the test wants,
/// when the test wants it.
///
/// Bound:   one account.
/// Threads: any.
#pragma once

#include "src/wire/json.hpp"
#include "tests/gate/support/socket_server.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::test {

class SmppService {
public:
    using Json = wire::Json;

    /// 0: the connection ends instead.
    struct Reply {
        int status = 0;
        Json body = {};
    };

    explicit SmppService(std::string path) : path_(std::move(path)) { start(); }

    void start() {
        server_ = std::make_unique<SocketServer>(path_, [this](Peer& peer) { serve(peer); });
    }
    /// As a kill.
    void stop() { server_.reset(); }

    /// All that were handed in, also those that came again.
    [[nodiscard]] std::vector<std::string> lines() const {
        const std::lock_guard lock(mutex_);
        return lines_;
    }
    /// The cursors that the gate has set.
    [[nodiscard]] std::vector<std::int64_t> acknowledged() const {
        const std::lock_guard lock(mutex_);
        return acknowledged_;
    }
    /// The last event of its database, as it says when it is asked next.
    void set_newest(std::int64_t newest) {
        const std::lock_guard lock(mutex_);
        newest_ = newest;
    }
    [[nodiscard]] bool is_heard() const {
        const std::lock_guard lock(mutex_);
        return events_ != nullptr;
    }

    /// How events were asked for, such as "GET /v1/events?client=shop&inbox=all".
    [[nodiscard]] std::vector<std::string> listened() const {
        const std::lock_guard lock(mutex_);
        return listened_;
    }

    /// What was asked about messages, such as "PUT /v1/messages/7 {...}".
    [[nodiscard]] std::vector<std::string> calls() const {
        const std::lock_guard lock(mutex_);
        return calls_;
    }
    /// To the calls that begin so, one after the other; the last one stays. Others: no message waits, and none is known.
    void reply(const std::string& call, std::vector<Reply> replies) {
        const std::lock_guard lock(mutex_);
        replies_[call] = std::move(replies);
    }

    /// To the oldest line of this connection without an answer.
    void answer(std::string_view line) { write(submits_, fmt::format("{}\n", line)); }
    void tell(std::int64_t number, const Json& event) {
        write(events_, fmt::format("id: {}\nevent: {}\ndata: {}\n\n", number,
                                   event.at("type").get<std::string>(), event.dump()));
    }

private:
    void serve(Peer& peer) {
        for (std::string request = peer.request(); !request.empty(); request = peer.request()) {
            const std::string_view head(request);
            if (head.starts_with("POST /v1/messages ")) {
                return take_lines(peer);
            }
            if (head.starts_with("GET /v1/events")) {
                note_listener(head.substr(0, head.find(" HTTP/1.1")));
                return be_heard(peer);
            }
            if (head.substr(head.find(' ') + 1).starts_with("/v1/messages")) {
                const Reply said = reply_to(head);
                if (said.status == 0 || !peer.write(http_answer(said.status, said.body.dump()))) {
                    return;
                }
                continue;
            }
            if (head.find("/ack ") != std::string_view::npos) {
                const auto json = wire::parse_json(head.substr(head.find("\r\n\r\n") + 4)).value();
                const std::lock_guard lock(mutex_);
                acknowledged_.push_back(std::stoll(json.at("id").get<std::string>()));
            }
            if (!peer.write(http_answer(200, R"({"unbind":[]})"))) {
                return;
            }
        }
    }

    void note_listener(std::string_view request) {
        const std::lock_guard lock(mutex_);
        listened_.emplace_back(request);
    }

    Reply reply_to(std::string_view request) {
        std::string call(request.substr(0, request.find(" HTTP/1.1")));
        const std::string_view body = request.substr(request.find("\r\n\r\n") + 4);
        call += body.empty() ? "" : fmt::format(" {}", body);
        const std::lock_guard lock(mutex_);
        calls_.push_back(call);
        for (auto& [front, replies] : replies_) {
            if (call.starts_with(front)) {
                Reply next = replies.front();
                if (replies.size() > 1) {
                    replies.erase(replies.begin());
                }
                return next;
            }
        }
        return call.starts_with("GET /v1/messages?")
                   ? Reply{200, {{"messages", Json::array()}, {"next", nullptr}}}
                   : Reply{404, {{"code", "not_found"}}};
    }

    void take_lines(Peer& peer) {
        begin(submits_, peer, "application/x-ndjson");
        std::string octets;
        std::string text;
        for (std::string more = peer.more(); !more.empty(); more = peer.more()) {
            octets += more;
            for (std::size_t end = octets.find("\r\n"); end != std::string::npos;
                 end = octets.find("\r\n")) {
                const std::size_t size = std::stoul(octets, nullptr, 16);
                if (octets.size() < end + size + 4) {
                    break;
                }
                text += octets.substr(end + 2, size);
                octets.erase(0, end + size + 4);
            }
            const std::lock_guard lock(mutex_);
            for (std::size_t end = text.find('\n'); end != std::string::npos;
                 end = text.find('\n')) {
                lines_.push_back(text.substr(0, end));
                text.erase(0, end + 1);
            }
        }
        end(submits_, peer);
    }

    void be_heard(Peer& peer) {
        begin(events_, peer, "text/event-stream");
        peer.wait_for_end();
        end(events_, peer);
    }

    void begin(Peer*& of, Peer& peer, std::string_view type) {
        const std::lock_guard lock(mutex_);
        of = &peer;
        (void)peer.write(
            fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}\r\nSmsrack-Newest: {}\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n",
                        type, newest_));
    }
    void end(Peer*& of, const Peer& peer) {
        const std::lock_guard lock(mutex_);
        if (of == &peer) {
            of = nullptr;
        }
    }
    void write(Peer*& to, const std::string& text) {
        const std::lock_guard lock(mutex_);
        REQUIRE(to != nullptr);
        CHECK(to->write(fmt::format("{:x}\r\n{}\r\n", text.size(), text)));
    }

    const std::string path_;
    mutable std::mutex mutex_;  // guards what follows
    std::vector<std::string> lines_;
    std::vector<std::int64_t> acknowledged_;
    std::vector<std::string> listened_;
    std::vector<std::string> calls_;
    std::int64_t newest_ = 1'000'000;
    std::map<std::string, std::vector<Reply>, std::greater<>> replies_;  // the longest first
    Peer* submits_ = nullptr;
    Peer* events_ = nullptr;
    std::unique_ptr<SocketServer> server_;
};

}  // namespace smsrack::test
