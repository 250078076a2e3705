/// Whether a request that a browser's login authorises comes from the dashboard, and not from another site.
///
/// A form or a link of another site can send a request with the cookie, but not with this content type, and not with
/// these headers, which the browser writes.
/// Source:  Fetch Metadata (Sec-Fetch-Site); RFC 6454 (Origin)
#pragma once

#include "src/base/result.hpp"
#include "src/wire/http_message.hpp"

namespace smsrack::gate {

/// Errors:  forbidden: another site sent it, or it does not show where it is from. `tls`: the gate ends TLS; else a proxy may.
[[nodiscard]] Result<> comes_from_page(const wire::HttpRequest& request, bool tls);

/// The same for a change, which needs a body that no form can send.
/// Errors:  forbidden.
[[nodiscard]] Result<> may_change(const wire::HttpRequest& request, bool tls);

}  // namespace smsrack::gate
