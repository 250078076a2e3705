#include "tools/smsrack/webhooks/raw_request.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::cli {
namespace {

constexpr std::size_t request_max = 1024UL * 1024;

std::string small_letters(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return small;
}

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

Result<> check_length(const RawRequest& request) {
    const std::string_view text = request.header("content-length");
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (text.empty() || (error == std::errc() && end == text.data() + text.size() &&
                         length == request.body.size())) {
        return {};
    }
    return fail(
        Errc::bad_request,
        fmt::format("the body has {} octets, and Content-Length says {}: record the body as "
                    "it comes, without a further line end",
                    request.body.size(), text));
}

}  // namespace

std::string_view RawRequest::header(std::string_view name) const {
    const auto found =
        std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
    return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

Result<RawRequest> raw_request_of(std::string_view text) {
    RawRequest request;
    for (bool first = true;; first = false) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            return fail(Errc::bad_request,
                        "there is no empty line behind the head: this must be a whole request, as "
                        "\"POST /hook HTTP/1.1\", headers, an empty line, and the body");
        }
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end + 1);
        if (line.empty()) {
            break;
        }
        const std::size_t colon = line.find(':');
        if (!first && colon != std::string_view::npos) {
            request.headers.emplace_back(small_letters(line.substr(0, colon)),
                                         trimmed(line.substr(colon + 1)));
        }
    }
    request.body = text;
    if (auto checked = check_length(request); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    return request;
}

Result<std::string> read_raw_request(int fd) {
    std::string text;
    std::array<char, 16'384> piece{};
    for (;;) {
        const ssize_t count = ::read(fd, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return fail(Errc::bad_request, std::generic_category().message(errno));
        }
        if (count == 0) {
            return text;
        }
        text.append(piece.data(), static_cast<std::size_t>(count));
        if (text.size() > request_max) {
            return fail(Errc::too_long, "longer than 1 MiB");
        }
    }
}

}  // namespace smsrack::cli
