/// Reads and checks what a request says besides its body: query parameters and names.
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
#include <string>
#include <string_view>

namespace smsrack::api {

/// Only parameters named here, none of them twice.
[[nodiscard]] Result<> check_params(const wire::HttpRequest& request,
                                    std::initializer_list<std::string_view> known);

/// The value of a parameter, or nothing; valid as long as the request.
[[nodiscard]] std::optional<std::string_view> param(const wire::HttpRequest& request,
                                                    std::string_view name);

/// A parameter that is `true` or `false`; false if it is not given.
[[nodiscard]] Result<bool> flag_param(const wire::HttpRequest& request, std::string_view name);

/// Where a page of a list begins, and how long it may be.
struct PageParams {
    std::size_t limit = 100;             ///< 1..1000
    std::optional<WallTime> since = {};  ///< of `since`, or of `from`, its other name
    std::optional<WallTime> until = {};
    std::int64_t after_id = 0;    ///< CursorKind::id; 0: from the beginning
    std::string after_name = {};  ///< CursorKind::name; empty: likewise
};
enum class CursorKind : std::uint8_t { id, name };

/// `limit`, `since`, `from`, `until` and `cursor`. Only parameters named here, none of them twice.
[[nodiscard]] Result<PageParams> page_params(const wire::HttpRequest& request,
                                             std::initializer_list<std::string_view> known,
                                             CursorKind cursor = CursorKind::id);

/// A whole number in decimal, or nothing.
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text);
/// A whole number above 0 in decimal, or nothing.
[[nodiscard]] std::optional<std::int64_t> positive_number(std::string_view text);

/// The client name that a request gives: `said` in the query or the body, or the header
/// Smsrack-Client. Empty: anonymous.
/// Errors:  bad_request: not a valid name, or not the one of the header.
[[nodiscard]] Result<std::string> client_named(const wire::HttpRequest& request,
                                               std::optional<std::string_view> said);

}  // namespace smsrack::api
