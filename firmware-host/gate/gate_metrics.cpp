#include "firmware-host/gate/gate_metrics.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace smsrack::gate {
namespace {

/// Of the paths of all calls.
constexpr std::array<std::string_view, 58> words{
    "v1",           "messages",      "explain",    "preview", "inbox",     "modems",   "at",
    "ussd",         "reset",         "drain",      "resume",  "reload",    "self-sms", "upgrade",
    "scaling",      "pause",         "batches",    "clients", "ack",       "block",    "open",
    "heartbeat",    "optouts",       "triggers",   "events",  "trace",     "rebuild",  "status",
    "metrics",      "healthz",       "readyz",     "history", "attention", "audit",    "again",
    "openapi.json", "conversations", "session",    "box",     "doctor",    "config",   "log",
    "tokens",       "webhooks",      "deliveries", "off",     "replay",    "results",  "take",
    "test",         "smpp",          "report",     "unbind",  "cluster",   "boxes",    "check",
    "dead",         "leave"};
constexpr std::size_t parts_max = 5;  // no path of a call has more

void append_metric(std::string& out, std::string_view name, std::string_view kind,
                   std::string_view help) {
    fmt::format_to(std::back_inserter(out),
                   "# HELP smsrack_gate_{} {}\n# TYPE smsrack_gate_{} {}\n", name, help, name,
                   kind);
}

}  // namespace

std::string route_of(std::string_view path) {
    std::string route;
    for (std::size_t part = 0; part < parts_max && path.starts_with('/'); ++part) {
        const std::size_t end = std::min(path.find('/', 1), path.size());
        const std::string_view word = path.substr(1, end - 1);
        const bool known = word.empty() || std::ranges::find(words, word) != words.end();
        route += '/';
        route += known ? word : "{}";
        path.remove_prefix(end);
    }
    return route;
}

void GateMetrics::request(std::string_view route, int status) {
    std::pair key(std::string(route), status);
    if (requests_.size() >= routes_max && !requests_.contains(key)) {
        key.first = "other";
    }
    ++requests_[key];
}

void GateMetrics::service_took(std::chrono::nanoseconds time) {
    ++service_answers_;
    service_time_ += time;
}

void GateMetrics::webhook_request(std::string_view webhook, int status) {
    const char digit = status == 0 ? '0' : static_cast<char>('0' + status / 100);
    ++webhook_requests_[std::pair(std::string(webhook), digit)];
}

std::string GateMetrics::text(std::size_t connections) const {
    std::string out;
    const auto to = std::back_inserter(out);
    append_metric(out, "connections", "gauge", "Connections of clients.");
    fmt::format_to(to, "smsrack_gate_connections {}\n", connections);
    append_metric(out, "handshakes_total", "counter", "Handshakes of TLS by result.");
    fmt::format_to(to, "smsrack_gate_handshakes_total{{result=\"ok\"}} {}\n", handshakes_well_);
    fmt::format_to(to, "smsrack_gate_handshakes_total{{result=\"failed\"}} {}\n",
                   handshakes_failed_);
    append_metric(out, "refused_tokens_total", "counter",
                  "Requests with a token that does not count.");
    fmt::format_to(to, "smsrack_gate_refused_tokens_total {}\n", refused_tokens_);
    append_metric(out, "requests_total", "counter", "Requests by route and status.");
    for (const auto& [key, count] : requests_) {
        fmt::format_to(to, "smsrack_gate_requests_total{{route=\"{}\",status=\"{}\"}} {}\n",
                       key.first, key.second, count);
    }
    if (!webhook_requests_.empty()) {
        append_metric(out, "webhook_requests_total", "counter",
                      "Requests to receivers of webhooks by status; none: no answer.");
    }
    for (const auto& [key, count] : webhook_requests_) {
        const auto& [webhook, digit] = key;
        fmt::format_to(to,
                       "smsrack_gate_webhook_requests_total{{webhook=\"{}\",status=\"{}\"}} {}\n",
                       webhook, digit == '0' ? "none" : std::string(1, digit) + "xx", count);
    }
    append_metric(out, "service_seconds", "summary", "Time until the service had answered.");
    fmt::format_to(to, "smsrack_gate_service_seconds_sum {:.6f}\n",
                   std::chrono::duration<double>(service_time_).count());
    fmt::format_to(to, "smsrack_gate_service_seconds_count {}\n", service_answers_);
    return out;
}

}  // namespace smsrack::gate
