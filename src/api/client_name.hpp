/// The client name that a request gives: `client` in the query or the body, or the header
/// Smsrack-Client.
#pragma once

#include "src/base/result.hpp"
#include "src/wire/http_message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::api {

/// Empty: anonymous. bad_request: not a valid name, or not the one of the header.
[[nodiscard]] Result<std::string> client_named(const wire::HttpRequest& request,
                                               std::optional<std::string_view> said);

}  // namespace smsrack::api
