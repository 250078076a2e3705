#include "firmware-host/gate/cors.hpp"

#include <algorithm>

namespace smsrack::gate {

std::string allowed_origin(const wire::HttpRequest& request,
                           const std::vector<std::string>& origins) {
    const std::string_view origin = request.header("origin");
    return std::ranges::find(origins, origin) == origins.end() ? std::string()
                                                               : std::string(origin);
}

void add_cors_headers(wire::HttpResponse& response, const std::string& origin) {
    if (origin.empty()) {
        return;
    }
    response.headers.push_back({"Access-Control-Allow-Origin", origin});
    response.headers.push_back({"Access-Control-Expose-Headers", "Retry-After"});
    response.headers.push_back({"Vary", "Origin"});
}

void add_cors_headers_for_all(wire::HttpResponse& response,
                              const std::vector<std::string>& origins) {
    if (!origins.empty()) {
        add_cors_headers(response, "*");
    }
}

std::optional<wire::HttpResponse> preflight_answer(const wire::HttpRequest& request,
                                                   const std::vector<std::string>& origins) {
    if (request.method != "OPTIONS" || allowed_origin(request, origins).empty()) {
        return std::nullopt;
    }
    return wire::HttpResponse{
        .content_type = "text/plain",
        .headers = {{"Access-Control-Allow-Methods", "GET, POST, DELETE"},
                    {"Access-Control-Allow-Headers",
                     "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Smsrack-Client"},
                    {"Access-Control-Max-Age", "600"}}};
}

}  // namespace smsrack::gate
