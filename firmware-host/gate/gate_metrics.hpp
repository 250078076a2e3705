/// What the gate counts of its own, and its part of /metrics.
///
/// Bound:   routes_max pairs of route and status; the further ones share one. Webhooks have six classes of status each.
/// Threads: loop thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::gate {

class GateMetrics {
public:
    static constexpr std::size_t routes_max = 512;

    void handshake(bool well) { ++(well ? handshakes_well_ : handshakes_failed_); }
    void refused_token() { ++refused_tokens_; }
    void request(std::string_view route, int status);
    /// Until the service had answered.
    void service_took(std::chrono::nanoseconds time);
    /// To a receiver. `status`: of its answer; 0: there was none.
    void webhook_request(std::string_view webhook, int status);

    /// Prometheus text. `connections`: of clients, now.
    [[nodiscard]] std::string text(std::size_t connections) const;

private:
    std::uint64_t handshakes_well_ = 0;
    std::uint64_t handshakes_failed_ = 0;
    std::uint64_t refused_tokens_ = 0;
    std::map<std::pair<std::string, int>, std::uint64_t> requests_;
    std::map<std::pair<std::string, char>, std::uint64_t> webhook_requests_;  // by name and class
    std::uint64_t service_answers_ = 0;
    std::chrono::nanoseconds service_time_{0};
};

/// The path without what names anything: "/v1/messages/4711" is "/v1/messages/{}". Words that no call has are "{}" too.
[[nodiscard]] std::string route_of(std::string_view path);

}  // namespace smsrack::gate
