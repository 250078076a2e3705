/// Why the service refused a call, of its problem document or the `error` of a line.
///
/// Source:  RFC 9457, with `code` (docs/api.md)
#pragma once

#include "firmware-host/gate/service_call.hpp"
#include "src/base/result.hpp"
#include "src/wire/json.hpp"

namespace smsrack::gate {

/// The context is the problem's detail. protocol: its code is of a later version.
[[nodiscard]] Error refusal_of(const wire::Json& problem);

/// The same of a reply; protocol: it has no problem document.
[[nodiscard]] Error refusal_of(const ServiceCall::Reply& reply);

}  // namespace smsrack::gate
