#include "firmware-host/gate/session/same_origin.hpp"

#include <string>
#include <string_view>

namespace smsrack::gate {
namespace {

/// Without its parameters, such as a charset.
std::string_view media_type(const wire::HttpRequest& request) {
    const std::string_view type = request.header("content-type");
    const std::string_view front = type.substr(0, type.find(';'));
    return front.substr(0, front.find_last_not_of(' ') + 1);
}

bool is_own_origin(std::string_view origin, std::string_view host, bool tls) {
    const auto is_of = [&](std::string_view scheme) {
        return origin.starts_with(scheme) && origin.substr(scheme.size()) == host;
    };
    return !host.empty() && (is_of("https://") || (!tls && is_of("http://")));
}

}  // namespace

Result<> comes_from_page(const wire::HttpRequest& request, bool tls) {
    const std::string_view site = request.header("sec-fetch-site");
    if (site.empty() ? is_own_origin(request.header("origin"), request.header("host"), tls)
                     : site == "same-origin") {
        return {};
    }
    return fail(Errc::forbidden,
                "with the login of a browser this call is for the dashboard's own page alone: "
                "Sec-Fetch-Site or Origin must show it; programs use a token");
}

Result<> may_change(const wire::HttpRequest& request, bool tls) {
    const std::string_view type = media_type(request);
    if (type != "application/json" && type != "application/x-ndjson") {
        return fail(Errc::forbidden,
                    "with the login of a browser a call that changes something needs "
                    "Content-Type: application/json");
    }
    return comes_from_page(request, tls);
}

}  // namespace smsrack::gate
