/// A hash of the settings of a webhook that decide what is sent, where to, and how it is signed.
///
/// The gate says its hash with each take: a gate that has read another configuration than the
/// service is refused instead of sending the one's events as the other says.
#pragma once

#include "src/config/webhook_settings.hpp"

#include <string>

namespace smsrack::webhook {

/// 32 hexadecimal digits.
[[nodiscard]] std::string config_hash(const config::WebhookSettings& settings);

}  // namespace smsrack::webhook
