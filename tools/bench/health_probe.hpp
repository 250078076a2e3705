/// Asks for the service's health all the time, to measure how long another client waits during the
/// load.
///
/// Threads: one of its own, from the beginning to the end of the object.
#pragma once

#include "tools/client/http_client.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace smsrack::bench {

class HealthProbe {
public:
    explicit HealthProbe(std::string socket)
        : thread_([this, socket = std::move(socket)](const std::stop_token& stop) {
              using std::chrono::steady_clock;
              client::HttpClient client(socket, {});
              while (!stop.stop_requested()) {
                  const auto begun = steady_clock::now();
                  const auto reply = client.call({.target = "/healthz"});
                  const double took =
                      std::chrono::duration<double, std::milli>(steady_clock::now() - begun)
                          .count();
                  longest_ms_ = std::max(longest_ms_.load(), took);
                  failed_ = failed_ || !reply || !reply->ok();
                  std::this_thread::sleep_for(std::chrono::milliseconds(2));
              }
          }) {}

    [[nodiscard]] double longest_ms() const { return longest_ms_; }
    [[nodiscard]] bool failed() const { return failed_; }

private:
    std::atomic<double> longest_ms_ = 0;
    std::atomic<bool> failed_ = false;
    std::jthread thread_;  // last: it uses the others
};

}  // namespace smsrack::bench
