/// The webhooks of a gate between a service and receivers that are the test's.
#pragma once

#include "firmware-host/gate/webhook/webhooks.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "tests/gate/support/hook_service.hpp"
#include "tests/gate/support/socket_server.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <chrono>
#include <cstddef>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

/// A receiver that counts what it gets, by webhook-id.
class GoodReceiver {
public:
    explicit GoodReceiver(std::string answer = http_answer(200))
        : server([this, answer = std::move(answer)](Peer& peer) {
              for (std::string request = peer.request(); !request.empty();
                   request = peer.request()) {
                  {
                      const std::lock_guard lock(mutex_);
                      const std::size_t at = request.find("webhook-id: ") + 12;
                      ids_.push_back(request.substr(at, request.find("\r\n", at) - at));
                      last_ = std::chrono::steady_clock::now();
                  }
                  if (!peer.write(answer)) {
                      return;
                  }
              }
          }) {}

    [[nodiscard]] std::vector<std::string> ids() const {
        const std::lock_guard lock(mutex_);
        return ids_;
    }
    [[nodiscard]] std::size_t count() const { return ids().size(); }
    [[nodiscard]] std::string url() const {
        return fmt::format("http://127.0.0.1:{}/hook", server.port());
    }

private:
    mutable std::mutex mutex_;  // guards what follows
    std::vector<std::string> ids_;
    std::chrono::steady_clock::time_point last_;

public:
    SocketServer server;
};

struct HookGate {
    HookGate() { std::ofstream(secret) << "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"; }

    config::WebhookSettings hook(const std::string& name, const std::string& url) const {
        config::WebhookSettings settings;
        settings.name = name;
        settings.url = url;
        settings.events = {"message.*"};
        settings.secret = config::KeyFile{secret};
        settings.timeout = std::chrono::seconds(2);
        return settings;
    }
    void start(gate::WebhookList of) {
        list = std::move(of);
        webhooks.start(list);
    }
    /// Runs the gate until this holds.
    bool run_until(const std::function<bool()>& holds,
                   std::chrono::milliseconds within = std::chrono::seconds(20)) {
        const auto limit = loop.after(within, [this] { loop.stop(); });
        const auto look = loop.every(std::chrono::milliseconds(5), [&] {
            if (holds()) {
                loop.stop();
            }
        });
        loop.run();
        return holds();
    }
    bool run_for(std::chrono::milliseconds time) {
        return run_until([] { return false; }, time);
    }

    TempDir folder;
    std::string path = (folder.path() / "s").string();
    std::string secret = (folder.path() / "key").string();
    HookService service{path};
    host::SystemClock clock;
    QuietLog log;
    gate::GateMetrics metrics;
    net::Loop loop;
    gate::Upstream upstream{loop, path};
    gate::WebhookList list;
    gate::Webhooks webhooks{{upstream, loop, clock, metrics, log}, "0123456789abcdef", [this] {
                                return std::optional(list);
                            }};
};

}  // namespace smsrack::test
