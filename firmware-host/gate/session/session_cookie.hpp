/// The cookie by which a browser shows its login.
///
/// Source:  RFC 6265bis 4.1.3.2 ("__Host-": one host alone, over TLS)
#pragma once

#include "src/wire/http_message.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::gate {

struct SessionCookie {
    std::string name = "smsrack";
    bool secure = false;
    bool lasts = true;  ///< longer than the browser runs

    /// Over TLS the name has the prefix "__Host-".
    [[nodiscard]] static SessionCookie over(bool tls);

    /// Of a gate that runs as the caller. Cookies do not heed the port, so those of one machine need names of their own, and
    /// end with the browser: each run of a gate would leave one for a year.
    [[nodiscard]] static SessionCookie of_own(std::uint64_t number);

    /// The value that a request shows; empty: none, or two that differ. Then another page of this host or its domain may have
    /// set one, and the gate cannot know which.
    [[nodiscard]] std::string_view value_in(const wire::HttpRequest& request) const;

    /// For Set-Cookie. The gate ends the session, so a cookie that lasts is kept for as long as a browser may.
    [[nodiscard]] std::string set(std::string_view value) const;
    [[nodiscard]] std::string clear() const;
};

}  // namespace smsrack::gate
