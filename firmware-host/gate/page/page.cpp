#include "firmware-host/gate/page/page.hpp"

#include "src/wire/problem.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::gate {
namespace {

/// The first word of each screen's path; what follows names a modem, a message, and so on.
constexpr std::array<std::string_view, 11> screens{"",         "modems",  "messages", "inbox",
                                                   "send",     "batches", "triggers", "scaling",
                                                   "programs", "box",     "login"};
constexpr std::ptrdiff_t parts_max = 3;  // no screen's path has more
constexpr std::string_view base_mark = "@base@";
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'";

bool is_screen(std::string_view path) {
    const std::string_view first = path.substr(1, path.find('/', 1) - 1);
    return std::ranges::find(screens, first) != screens.end() && !path.contains("//") &&
           std::ranges::count(path, '/') <= parts_max;
}

/// From the folder of `path` to that of the page: "./", "../", "../../" ...
std::string way_up(std::string_view path) {
    std::string up;
    for (auto below = std::ranges::count(path, '/'); below > 1; --below) {
        up += "../";
    }
    return up.empty() ? "./" : up;
}

wire::HttpResponse index_at(std::string_view path, std::string_view index) {
    wire::HttpResponse response{.content_type = "text/html; charset=utf-8",
                                .headers = {{"Content-Security-Policy", std::string(policy)}}};
    const std::string base = way_up(path);
    while (!index.empty()) {
        const std::size_t mark = std::min(index.find(base_mark), index.size());
        response.body += index.substr(0, mark);
        index.remove_prefix(mark);
        if (!index.empty()) {
            response.body += base;
            index.remove_prefix(base_mark.size());
        }
    }
    return response;
}

wire::HttpResponse answer_of(const PageAsset& asset) {
    return {.content_type = std::string(asset.content_type),
            .headers = {{"Content-Security-Policy", std::string(policy)},
                        {"Content-Encoding", "gzip"},
                        {"Cache-Control", "public, max-age=31536000, immutable"}},
            .body = std::string(asset.gzip)};
}

/// Null: there is none at this path.
const PageAsset* asset_at(std::string_view path, const PageFiles& files) {
    const auto found = std::ranges::find_if(files.assets, [&](const PageAsset& asset) {
        return path.starts_with('/') && path.substr(1) == asset.name;
    });
    return found == files.assets.end() ? nullptr : &*found;
}

}  // namespace

std::size_t page_bytes(const wire::HttpRequest& request, const PageFiles& files) {
    const PageAsset* const asset = asset_at(request.path, files);
    return asset == nullptr ? 0 : asset->gzip.size();
}

std::optional<wire::HttpResponse> page_answer(const wire::HttpRequest& request,
                                              const PageFiles& files) {
    const std::string_view path = request.path;
    if ((request.method != "GET" && request.method != "HEAD") || !path.starts_with('/')) {
        return std::nullopt;
    }
    if (const PageAsset* const asset = asset_at(path, files)) {
        return answer_of(*asset);
    }
    if (!is_screen(path)) {
        return std::nullopt;
    }
    if (files.index.empty()) {
        return wire::problem(
            {.code = Errc::not_found, .context = "this gate was built without the dashboard"});
    }
    return index_at(path, files.index);
}

}  // namespace smsrack::gate
