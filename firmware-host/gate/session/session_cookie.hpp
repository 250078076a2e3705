/// The cookie by which a browser shows its login.
///
/// Source:  RFC 6265bis 4.1.3.2 ("__Host-": one host alone, over TLS)
#pragma once

#include "src/wire/http_message.hpp"

#include <string>
#include <string_view>

namespace smsrack::gate {

struct SessionCookie {
    std::string name = "smsrack";
    bool secure = false;

    /// Over TLS the name has the prefix "__Host-".
    [[nodiscard]] static SessionCookie over(bool tls);

    /// The value that a request shows; empty: none.
    [[nodiscard]] std::string_view value_in(const wire::HttpRequest& request) const;

    /// For Set-Cookie. The gate ends the session, so the browser keeps the cookie for as long as it may.
    [[nodiscard]] std::string set(std::string_view value) const;
    [[nodiscard]] std::string clear() const;
};

}  // namespace smsrack::gate
