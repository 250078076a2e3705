#include "src/api/query.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace smsrack::api {
namespace {

/// A name that is fit to be shown; it may be any octets.
std::string shown_name(std::string_view name) {
    constexpr std::size_t longest = 32;
    const bool plain = std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7F; });
    return plain && name.size() <= longest ? ": " + std::string(name) : std::string();
}

}  // namespace

Result<> check_params(const wire::HttpRequest& request,
                      std::initializer_list<std::string_view> known) {
    for (const auto& [name, value] : request.params) {
        if (std::ranges::find(known, name) == known.end()) {
            return fail(Errc::bad_request, "unknown query parameter" + shown_name(name));
        }
        if (std::ranges::count(request.params, name, [](const auto& it) { return it.first; }) > 1) {
            return fail(Errc::bad_request, name + ": given twice");
        }
    }
    return {};
}

std::optional<std::string_view> param(const wire::HttpRequest& request, std::string_view name) {
    for (const auto& it : request.params) {
        if (it.first == name) {
            return it.second;
        }
    }
    return std::nullopt;
}

Result<std::size_t> limit_param(const wire::HttpRequest& request) {
    constexpr std::int64_t limit_default = 100;
    constexpr std::int64_t limit_max = 1000;
    const auto text = param(request, "limit");
    if (!text) {
        return static_cast<std::size_t>(limit_default);
    }
    const auto number = positive_number(*text);
    if (!number || *number > limit_max) {
        return fail(Errc::bad_request, "limit: not 1 to 1000");
    }
    return static_cast<std::size_t>(*number);
}

Result<std::optional<WallTime>> since_param(const wire::HttpRequest& request) {
    const auto text = param(request, "since");
    if (!text) {
        return std::optional<WallTime>();
    }
    const auto time = time_of(*text);
    if (!time) {
        return fail(Errc::bad_request, "since: " + time.error().context);
    }
    return std::optional<WallTime>(*time);
}

Result<std::int64_t> cursor_param(const wire::HttpRequest& request) {
    const auto text = param(request, "cursor");
    if (!text) {
        return 0;
    }
    const auto number = positive_number(*text);
    if (!number) {
        return fail(Errc::bad_request, "cursor: not one that this list gave");
    }
    return *number;
}

std::optional<std::int64_t> positive_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number <= 0) {
        return std::nullopt;
    }
    return number;
}

}  // namespace smsrack::api
