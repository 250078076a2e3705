/// Reads and checks the query parameters of a list.
///
/// Errors:  bad_request (bad_number for a number), with the parameter's name first in `context`.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/wire/http_message.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace smsrack::api {

/// Only parameters named here, none of them twice.
[[nodiscard]] Result<> check_params(const wire::HttpRequest& request,
                                    std::initializer_list<std::string_view> known);

/// The value of a parameter, or nothing; valid as long as the request.
[[nodiscard]] std::optional<std::string_view> param(const wire::HttpRequest& request,
                                                    std::string_view name);

[[nodiscard]] Result<std::size_t> limit_param(const wire::HttpRequest& request);  ///< 1..1000, 100
[[nodiscard]] Result<std::optional<WallTime>> since_param(const wire::HttpRequest& request);
[[nodiscard]] Result<std::int64_t> cursor_param(const wire::HttpRequest& request);  ///< 0: none

/// A whole number above 0 in decimal, or nothing.
[[nodiscard]] std::optional<std::int64_t> positive_number(std::string_view text);

}  // namespace smsrack::api
