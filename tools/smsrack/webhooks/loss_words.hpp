/// What `smsrack webhook` says of events that a webhook has lost.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/context.hpp"

#include <string>

namespace smsrack::cli {

/// A sentence about an entry of GET /v1/webhooks; empty: it has lost none.
[[nodiscard]] std::string loss_words(const wire::Json& webhook, const Context& context);

}  // namespace smsrack::cli
