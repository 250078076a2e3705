#include "src/api/query.hpp"

#include "src/base/time_text.hpp"
#include "src/ports/client_states.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace smsrack::api {
namespace {

/// A name that is fit to be shown; it may be any octets.
std::string shown_name(std::string_view name) {
    constexpr std::size_t longest = 32;
    const bool plain = std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7F; });
    return plain && name.size() <= longest ? ": " + std::string(name) : std::string();
}

Result<std::optional<WallTime>> time_param(const wire::HttpRequest& request,
                                           std::string_view name) {
    const auto text = param(request, name);
    if (!text) {
        return std::nullopt;
    }
    const auto time = time_of(*text);
    return time ? Result<std::optional<WallTime>>(*time)
                : fail(Errc::bad_request, std::string(name) + ": " + time.error().context);
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

Result<bool> flag_param(const wire::HttpRequest& request, std::string_view name) {
    const auto said = param(request, name);
    if (said && *said != "true" && *said != "false") {
        return fail(Errc::bad_request, std::string(name) + ": true or false");
    }
    return said == "true";
}

Result<PageParams> page_params(const wire::HttpRequest& request,
                               std::initializer_list<std::string_view> known, CursorKind cursor) {
    if (auto checked = check_params(request, known); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    PageParams page;
    if (const auto limit = param(request, "limit")) {
        constexpr std::int64_t limit_max = 1000;
        const auto number = positive_number(*limit);
        if (!number || *number > limit_max) {
            return fail(Errc::bad_request, "limit: not 1 to 1000");
        }
        page.limit = static_cast<std::size_t>(*number);
    }
    auto since = time_param(request, "since");
    auto from = time_param(request, "from");
    auto until = time_param(request, "until");
    for (auto* const time : {&since, &from, &until}) {
        if (!*time) {
            return std::unexpected(std::move(time->error()));
        }
    }
    if (*since && *from) {
        return fail(Errc::bad_request, "from: the same as since, and both are given");
    }
    page.since = *since ? *since : *from;
    page.until = *until;
    if (const auto text = param(request, "cursor"); text && cursor == CursorKind::name) {
        page.after_name = *text;
    } else if (text) {
        const auto number = positive_number(*text);
        if (!number) {
            return fail(Errc::bad_request, "cursor: not one that this list gave");
        }
        page.after_id = *number;
    }
    return page;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> positive_number(std::string_view text) {
    const auto number = whole_number(text);
    return number > 0 ? number : std::nullopt;
}

Result<std::string> client_named(const wire::HttpRequest& request,
                                 std::optional<std::string_view> said) {
    const std::string_view header = request.header("smsrack-client");
    const std::string_view name = said.value_or(header);
    if (said && !header.empty() && *said != header) {
        return fail(Errc::bad_request, "client: not the Smsrack-Client of the header");
    }
    if ((said || !header.empty()) && !ports::is_client_name(name)) {
        return fail(Errc::bad_request,
                    "client: not 1 to 32 of letters, digits, \"_\", \"-\" and \".\", or a name of "
                    "a webhook");
    }
    return std::string(name);
}

}  // namespace smsrack::api
