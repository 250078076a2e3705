#include "src/config/http_url.hpp"

#include <algorithm>
#include <charconv>

namespace smsrack::config {
namespace {

constexpr std::size_t host_octets_max = 253;  // RFC 1035 3.1
constexpr std::string_view digits = "0123456789";

bool all_of(std::string_view text, std::string_view allowed) {
    return text.find_first_not_of(allowed) == std::string_view::npos;
}

std::string small_letters(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return small;
}

/// WHATWG URL: a host whose last label is a number is read as an IPv4 address by many programs.
bool ends_in_number(std::string_view host) {
    if (host.ends_with('.')) {
        host.remove_suffix(1);
    }
    const std::string_view last = host.substr(host.rfind('.') + 1);  // npos + 1 is 0
    return !last.empty() && (all_of(last, digits) || (last.starts_with("0x") &&
                                                      all_of(last.substr(2), "0123456789abcdef")));
}

bool is_host_name(std::string_view host) {
    return !host.empty() && host.size() <= host_octets_max && !host.starts_with('.') &&
           !host.contains("..") && all_of(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") &&
           !ends_in_number(host);
}

/// Takes "host", "host:port" or "[address]:port"; false: none of them.
bool read_authority(std::string_view text, HttpUrl& url) {
    const bool bracketed = text.starts_with('[');
    const std::size_t end = bracketed ? text.find(']') : text.find(':');
    if (bracketed && end == std::string_view::npos) {
        return false;
    }
    url.host = small_letters(bracketed ? text.substr(1, end - 1) : text.substr(0, end));
    url.address = ip_address_of(url.host);
    if (url.address ? bracketed != url.host.contains(':') : bracketed || !is_host_name(url.host)) {
        return false;
    }
    const std::string_view rest =
        end == std::string_view::npos ? "" : text.substr(end + (bracketed ? 1 : 0));
    if (rest.empty()) {
        url.port = url.tls ? 443 : 80;
        return true;
    }
    const std::string_view port = rest.substr(1);
    const auto [last, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
    return rest.front() == ':' && error == std::errc() && last == port.data() + port.size() &&
           url.port != 0;
}

}  // namespace

std::optional<HttpUrl> http_url_of(std::string_view text) {
    if (text.size() > url_octets_max || std::ranges::any_of(text, [](char c) {
            return c <= ' ' || c >= 0x7F || c == '#' || c == '\\' || c == '"';
        })) {
        return std::nullopt;
    }
    HttpUrl url;
    const std::size_t colon = text.find("://");
    const std::string scheme =
        small_letters(text.substr(0, colon == std::string_view::npos ? 0 : colon));
    if (scheme != "http" && scheme != "https") {
        return std::nullopt;
    }
    url.tls = scheme == "https";
    const std::string_view rest = text.substr(colon + 3);
    const std::size_t path = std::min(rest.find_first_of("/?"), rest.size());
    if (!read_authority(rest.substr(0, path), url)) {
        return std::nullopt;
    }
    const std::string_view target = rest.substr(path);
    const std::size_t query = target.find('?');
    url.has_query = query != std::string_view::npos;
    url.path = target.substr(0, query);
    if (url.path.empty()) {
        url.path = "/";
    }
    return url;
}

std::string without_query(std::string_view url) {
    const std::size_t query = url.find('?');
    return query == std::string_view::npos ? std::string(url)
                                           : std::string(url.substr(0, query)) + "?...";
}

}  // namespace smsrack::config
