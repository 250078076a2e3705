/// What pages of other web sites may do: call with a token of their own, where [http] origins names the site.
///
/// A login of the dashboard never comes with such a call, since its cookie is for the gate's own page alone.
/// Source:  Fetch, "CORS protocol"
#pragma once

#include "src/wire/http_message.hpp"

#include <optional>
#include <string>
#include <vector>

namespace smsrack::gate {

/// The site that sends the request, if it may; else empty.
[[nodiscard]] std::string allowed_origin(const wire::HttpRequest& request,
                                         const std::vector<std::string>& origins);

/// Adds what lets the site read the answer; `origin` as above.
void add_cors_headers(wire::HttpResponse& response, const std::string& origin);

/// The same where the request could not be read, so that its site is not known. Such an answer has
/// nothing of this box, so each may read it if one may call at all.
void add_cors_headers_for_all(wire::HttpResponse& response,
                              const std::vector<std::string>& origins);

/// The answer if a browser asks whether the site may call; nullopt: it does not, or the site may not.
[[nodiscard]] std::optional<wire::HttpResponse> preflight_answer(
    const wire::HttpRequest& request, const std::vector<std::string>& origins);

}  // namespace smsrack::gate
