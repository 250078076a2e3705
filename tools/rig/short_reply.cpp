#include "tools/rig/short_reply.hpp"

#include <charconv>

namespace smsrack::rig {
namespace {

constexpr std::string_view version = "HTTP/1.1 ";
constexpr std::string_view head_end = "\r\n\r\n";

/// Behind "\r\nContent-Length:", in any case.
std::size_t content_length(std::string_view head) {
    constexpr std::string_view name = "content-length:";
    for (auto at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at + 1)) {
        std::string_view line = head.substr(at + 1);
        std::size_t same = 0;
        while (same < name.size() && same < line.size() &&
               (line[same] == name[same] || (line[same] | 0x20) == name[same])) {
            ++same;
        }
        if (same == name.size()) {
            line.remove_prefix(same);
            line.remove_prefix(line.find_first_not_of(' ') == 1 ? 1 : 0);
            std::size_t length = 0;
            (void)std::from_chars(line.data(), line.data() + line.size(), length);
            return length;
        }
    }
    return 0;
}

}  // namespace

std::optional<ShortReply> read_short_reply(std::string_view octets) {
    constexpr std::size_t status_digits = 3;
    if (octets.size() < version.size() + status_digits) {
        return std::nullopt;
    }
    ShortReply reply;
    if (!octets.starts_with(version)) {
        return reply;
    }
    const char* const digits = octets.data() + version.size();
    (void)std::from_chars(digits, digits + status_digits, reply.status);
    const auto end = octets.find(head_end);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    reply.size = end + head_end.size() + content_length(octets.substr(0, end));
    return octets.size() < reply.size ? std::nullopt : std::optional(reply);
}

}  // namespace smsrack::rig
