/// The service's side of webhooks for tests of the gate: calls take and results over a Unix socket, without a store.
///
/// Threads: any.
#pragma once

#include "src/wire/json.hpp"
#include "tests/gate/support/socket_server.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace smsrack::test {

class HookService {
public:
    using Json = wire::Json;
    struct Hook {
        std::deque<Json> waiting = {};  // deliveries
        std::deque<Json> tests = {};
        std::vector<Json> results = {};
        std::vector<Json> test_results = {};
        std::vector<Json> takes = {};  // what the gate asked for
        std::uint64_t newest = 0;
        std::string state = "open";
        int parallel = 64;
        long pause_ms = 0;
        std::string old_config = {};  // a take with it is refused
        int results_refusal = 0;    // status of each call of results, which are not stored; 0: none
        int results_refused = 0;    // calls
        bool results_wait = false;  // they are stored at once, and answered after the next take
        bool changed = false;       // an open take is answered
    };

    explicit HookService(std::string path) : path_(std::move(path)) { start(); }
    ~HookService() { stop(); }
    HookService(const HookService&) = delete;
    HookService& operator=(const HookService&) = delete;

    void start() {
        away_ = false;
        server_ = std::make_unique<SocketServer>(path_, [this](Peer& peer) { serve(peer); });
    }
    /// As a kill: calls that wait get no answer.
    void stop() {
        {
            const std::lock_guard lock(mutex_);
            away_ = true;
        }
        changed_.notify_all();
        server_.reset();
    }

    void add(const std::string& hook, const std::string& event, const std::string& body = "{}",
             int attempt = 1) {
        with(hook, [&](Hook& it) {
            it.waiting.push_back({{"event", event},
                                  {"attempt", attempt},
                                  {"type", "message.received"},
                                  {"timestamp", "2026-11-26T12:00:00Z"},
                                  {"body", body}});
        });
    }
    void test(const std::string& hook, const std::string& id) {
        with(hook, [&](Hook& it) { it.tests.push_back({{"test", id}, {"body", "{}"}}); });
    }
    template <typename Change>
    void with(const std::string& hook, Change change) {
        {
            const std::lock_guard lock(mutex_);
            change(hooks_[hook]);
            hooks_[hook].changed = true;
        }
        changed_.notify_all();
    }
    [[nodiscard]] std::vector<Json> results(const std::string& hook) {
        const std::lock_guard lock(mutex_);
        return hooks_[hook].results;
    }
    [[nodiscard]] std::size_t waiting(const std::string& hook) {
        const std::lock_guard lock(mutex_);
        return hooks_[hook].waiting.size();
    }
    [[nodiscard]] int results_refused(const std::string& hook) {
        const std::lock_guard lock(mutex_);
        return hooks_[hook].results_refused;
    }
    [[nodiscard]] std::vector<Json> test_results(const std::string& hook) {
        const std::lock_guard lock(mutex_);
        return hooks_[hook].test_results;
    }
    [[nodiscard]] std::vector<Json> takes(const std::string& hook) {
        const std::lock_guard lock(mutex_);
        return hooks_[hook].takes;
    }

private:
    static std::string problem(int status, const std::string& code) {
        return http_answer(status, Json({{"code", code}, {"status", status}}).dump());
    }

    void serve(Peer& peer) {
        for (;;) {
            const std::string request = peer.request();
            const std::size_t front = request.find("/v1/webhooks/");
            if (front == std::string::npos) {
                return;
            }
            const std::string path =
                request.substr(front + 13, request.find(' ', front) - front - 13);
            const std::string hook = path.substr(0, path.find('/'));
            const auto json =
                wire::parse_json(request.substr(request.find("\r\n\r\n") + 4)).value();
            const std::string answer =
                path.ends_with("/take") ? take(hook, json) : result(hook, json);
            if (answer.empty() || !peer.write(answer)) {
                return;
            }
        }
    }

    std::string take(const std::string& name, const Json& asked) {
        std::unique_lock lock(mutex_);
        Hook& hook = hooks_[name];
        const std::uint64_t number = ++hook.newest;
        hook.takes.push_back(asked);
        changed_.notify_all();
        if (!hook.old_config.empty() && asked.at("config") == hook.old_config) {
            return problem(409, "webhook_config");
        }
        const auto room = asked.at("room").get<std::size_t>();
        changed_.wait_for(lock, std::chrono::seconds(20), [&] {
            return away_ || hook.newest != number || hook.changed ||
                   (room > 0 && hook.state == "open" && !hook.waiting.empty()) ||
                   !hook.tests.empty();
        });
        if (away_) {
            return {};
        }
        if (hook.newest != number) {
            return problem(409, "superseded");
        }
        hook.changed = false;
        Json answer{{"state", hook.state},
                    {"parallel", hook.parallel},
                    {"pause_ms", hook.pause_ms},
                    {"deliveries", Json::array()},
                    {"tests", Json::array()}};
        while (hook.state == "open" && !hook.waiting.empty() &&
               answer["deliveries"].size() < room) {
            answer["deliveries"].push_back(std::move(hook.waiting.front()));
            hook.waiting.pop_front();
        }
        while (!hook.tests.empty()) {
            answer["tests"].push_back(std::move(hook.tests.front()));
            hook.tests.pop_front();
        }
        return http_answer(200, answer.dump());
    }

    std::string result(const std::string& name, const Json& said) {
        std::unique_lock lock(mutex_);
        Hook& hook = hooks_[name];
        if (hook.results_refusal != 0) {
            ++hook.results_refused;
            return problem(hook.results_refusal, "storage");
        }
        for (const Json& one : said.at("results")) {
            hook.results.push_back(one);
        }
        for (const Json& one : said.at("tests")) {
            hook.test_results.push_back(one);
        }
        changed_.wait_for(lock, std::chrono::seconds(5), [&, newest = hook.newest] {
            return away_ || !hook.results_wait || hook.newest != newest;
        });
        return away_ ? std::string() : "HTTP/1.1 204 X\r\n\r\n";
    }

    const std::string path_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    bool away_ = false;
    std::map<std::string, Hook> hooks_;
    std::unique_ptr<SocketServer> server_;
};

}  // namespace smsrack::test
