#include "firmware-host/gate/session/session_cookie.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::gate {
namespace {

constexpr int longest_s = 400 * 24 * 3600;  // what browsers allow

std::string field(const SessionCookie& cookie, std::string_view value, std::string_view age) {
    return fmt::format("{}={}; Path=/{}; HttpOnly; SameSite=Strict{}", cookie.name, value, age,
                       cookie.secure ? "; Secure" : "");
}

}  // namespace

SessionCookie SessionCookie::over(bool tls) {
    return {.name = tls ? "__Host-smsrack" : "smsrack", .secure = tls};
}

SessionCookie SessionCookie::of_own(std::uint64_t number) {
    return {.name = fmt::format("smsrack-{:08x}", number), .lasts = false};
}

std::string_view SessionCookie::value_in(const wire::HttpRequest& request) const {
    std::string_view value;
    for (const wire::HeaderField& header : request.headers) {
        std::string_view rest = header.name == "cookie" ? header.value : std::string_view();
        while (!rest.empty()) {
            rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
            const std::string_view pair = rest.substr(0, rest.find(';'));
            rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
            if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) {
                const std::string_view shown = pair.substr(name.size() + 1);
                if (!value.empty() && shown != value) {
                    return {};
                }
                value = shown;
            }
        }
    }
    return value;
}

std::string SessionCookie::set(std::string_view value) const {
    return field(*this, value, lasts ? fmt::format("; Max-Age={}", longest_s) : "");
}

std::string SessionCookie::clear() const {
    return field(*this, "", "; Max-Age=0");
}

}  // namespace smsrack::gate
