#include "firmware-host/gate/service_request.hpp"

#include "src/wire/json.hpp"
#include "src/wire/url.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::gate {
namespace {

constexpr std::array<std::string_view, 5> passed_on{"content-type", "accept", "idempotency-key",
                                                    "smsrack-client", "last-event-id"};
constexpr std::string_view token_field = "smsrack-token";
/// Those that say how an answer comes.
constexpr std::array<std::string_view, 4> not_passed_back{"content-length", "transfer-encoding",
                                                          "connection", "content-type"};

std::string encoded_path(std::string_view path) {
    std::string out;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        out += wire::percent_encoded(path.substr(0, end));
        out += path.substr(end, 1);
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return out;
}

/// "retry-after" -> "Retry-After"
std::string as_written(std::string_view name) {
    if (name == "www-authenticate") {
        return "WWW-Authenticate";
    }
    std::string out(name);
    bool first = true;
    for (char& c : out) {
        c = first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        first = c == '-';
    }
    return out;
}

}  // namespace

std::string ServiceRequest::with(std::string_view body) const {
    std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: smsrack\r\n", method, target);
    for (const wire::HeaderField& field : headers) {
        text += fmt::format("{}: {}\r\n", field.name, field.value);
    }
    if (!body.empty() || method == "POST") {
        text += fmt::format("Content-Length: {}\r\n", body.size());
    }
    text += "\r\n";
    return text += body;
}

std::string ServiceRequest::with_chunks() const {
    ServiceRequest chunked = *this;
    chunked.headers.push_back({"Transfer-Encoding", "chunked"});
    std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: smsrack\r\n", method, target);
    for (const wire::HeaderField& field : chunked.headers) {
        text += fmt::format("{}: {}\r\n", field.name, field.value);
    }
    return text += "\r\n";
}

void ServiceRequest::set(std::string_view name, std::string value) {
    std::erase_if(headers, [&](const wire::HeaderField& field) { return field.name == name; });
    headers.push_back({std::string(name), std::move(value)});
}

ServiceRequest service_request(const wire::HttpRequest& request, std::string token) {
    ServiceRequest out{.method = request.method == "HEAD" ? "GET" : request.method,
                       .target = encoded_path(request.path)};
    char before = '?';
    for (const auto& [name, value] : request.params) {
        out.target += before + wire::percent_encoded(name) + '=' + wire::percent_encoded(value);
        before = '&';
    }
    for (const wire::HeaderField& field : request.headers) {
        if (std::ranges::find(passed_on, field.name) != passed_on.end()) {
            out.headers.push_back(field);
        }
    }
    if (!token.empty()) {
        out.headers.push_back({std::string(token_field), std::move(token)});
    }
    return out;
}

wire::HttpResponse client_response(
    int status, const std::vector<std::pair<std::string, std::string>>& headers) {
    wire::HttpResponse response{.status = status};
    for (const auto& [name, value] : headers) {
        if (name == "content-type") {
            response.content_type = value;
        } else if (std::ranges::find(not_passed_back, name) == not_passed_back.end()) {
            response.headers.push_back({as_written(name), value});
        }
    }
    return response;
}

bool wants_ref(const wire::HttpRequest& request) {
    if (request.method != "POST" || request.path != "/v1/messages" ||
        !request.header("idempotency-key").empty()) {
        return false;
    }
    // Nearly every message is without one, and the service parses each.
    const bool may_have_ref = request.body.contains("\"ref\"") || request.body.contains("\\u");
    if (!may_have_ref) {
        return true;
    }
    const auto json = wire::parse_json(request.body);
    return json && json->is_object() && !json->contains("ref");
}

}  // namespace smsrack::gate
