/// Reads the files with the keys of a webhook.
///
/// Errors:  bad_config: the file, and what is wrong with it; a line of it is never quoted.
#pragma once

#include "src/base/result.hpp"
#include "src/config/webhook_settings.hpp"
#include "src/posting/receiver_request.hpp"

namespace smsrack::gate {

[[nodiscard]] Result<posting::ReceiverKeys> read_keys(const config::WebhookSettings& webhook);

}  // namespace smsrack::gate
