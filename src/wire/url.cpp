#include "src/wire/url.hpp"

#include <fmt/format.h>

namespace smsrack::wire {
namespace {

int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char small = static_cast<char>(c | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

bool append_decoded(std::string& out, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%' && text[i] != '\0') {
            out += text[i];
            continue;
        }
        if (text[i] == '\0' || i + 2 >= text.size()) {
            return false;
        }
        const int high = hex_value(text[i + 1]);
        const int low = hex_value(text[i + 2]);
        if (high < 0 || low < 0 || (high == 0 && low == 0)) {
            return false;
        }
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return true;
}

/// The text before the first `mark`; `rest` keeps the text after it.
std::string_view cut_at(std::string_view& rest, char mark) {
    const std::size_t at = rest.find(mark);
    const std::string_view front = rest.substr(0, at);
    rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
    return front;
}

}  // namespace

Result<Target> parse_target(std::string_view text) {
    constexpr std::string_view scheme = "http://";
    if (text.starts_with(scheme)) {
        text.remove_prefix(scheme.size());
        const std::size_t slash = text.find('/');
        text = slash == std::string_view::npos ? "/" : text.substr(slash);
    }
    if (text.empty() || text[0] != '/') {
        return fail(Errc::bad_request, "the request target is not a path");
    }
    Target target;
    std::string_view query = text;
    bool good = append_decoded(target.path, cut_at(query, '?'));
    while (good && !query.empty()) {
        std::string_view value = cut_at(query, '&');
        if (value.empty()) {
            continue;
        }
        auto& [name, decoded] = target.params.emplace_back();
        good = append_decoded(name, cut_at(value, '=')) && append_decoded(decoded, value);
    }
    if (!good) {
        return fail(Errc::bad_request, "broken percent escape in the request target");
    }
    return target;
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string out;
    for (const char c : text) {
        if (plain.contains(c)) {
            out += c;
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        }
    }
    return out;
}

}  // namespace smsrack::wire
