#include "firmware-host/gate/gzip.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <array>
#include <zlib.h>

namespace smsrack::gate {
namespace {

/// None has an argument in its path: the answer could have it too.
constexpr std::array<std::string_view, 17> packed_calls{
    "/v1/messages", "/v1/inbox",       "/v1/conversations", "/v1/modems",   "/v1/scaling",
    "/v1/batches",  "/v1/clients",     "/v1/optouts",       "/v1/triggers", "/v1/audit",
    "/v1/status",   "/v1/attention",   "/v1/history",       "/v1/doctor",   "/v1/config",
    "/v1/log",      "/v1/openapi.json"};

/// Others choose by what is in the rows, such as a part of a number.
constexpr std::array<std::string_view, 9> harmless_params{
    "since", "from", "until", "to", "step", "limit", "cursor", "text", "details"};

/// "to" is a time of the history alone.
bool is_harmless(const wire::HttpRequest& request, std::string_view param) {
    return std::ranges::find(harmless_params, param) != harmless_params.end() &&
           (param != "to" || request.path == "/v1/history");
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos
               ? ""
               : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// "q=0", "q=0.0": never.
bool is_refused(std::string_view weight) {
    weight = without_blanks(weight);
    return weight.starts_with("q=0") && weight.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

bool may_pack(const wire::HttpRequest& request) {
    return request.method == "GET" &&
           std::ranges::find(packed_calls, request.path) != packed_calls.end() &&
           std::ranges::all_of(request.params, [&](const auto& param) {
               return is_harmless(request, param.first);
           });
}

bool takes_gzip(const wire::HttpRequest& request) {
    std::string_view rest = request.header("accept-encoding");
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
        const std::size_t mark = one.find(';');
        if (without_blanks(one.substr(0, mark)) == "gzip") {
            return mark == std::string_view::npos || !is_refused(one.substr(mark + 1));
        }
    }
    return false;
}

void pack(wire::HttpResponse& response) {
    const bool is_packed = std::ranges::any_of(
        response.headers, [](const auto& field) { return field.name == "Content-Encoding"; });
    if (response.status != 200 || response.content_type != "application/json" ||
        response.body.size() <= gzip_from || is_packed) {
        return;
    }
    response.body = gzip(response.body);
    response.headers.push_back({"Content-Encoding", "gzip"});
}

std::string gzip(std::string_view text) {
    constexpr int gzip_window = 15 + 16;  // a head of gzip, not of zlib
    constexpr int memory = 8;             // 256 KiB, until it returns
    z_stream stream{};
    // It needs memory alone, without which the process ends anyway.
    SMSRACK_CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, gzip_window, memory,
                               Z_DEFAULT_STRATEGY) == Z_OK);
    std::string in(text);
    std::string out(deflateBound(&stream, in.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    SMSRACK_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

}  // namespace smsrack::gate
