/// Which addresses a webhook's requests may be sent to.
///
/// A receiver's name can lead anywhere, also to a service that only this machine can reach. So what is checked is the address that
/// is connected to, not the name. With a proxy it is the proxy's address: the proxy looks the receiver up.
/// Source:  docs/webhooks.md
#pragma once

#include "src/config/ip_address.hpp"
#include "src/config/webhook_settings.hpp"

namespace smsrack::posting {

[[nodiscard]] bool permits(const config::WebhookSettings& webhook,
                           const config::IpAddress& address);

}  // namespace smsrack::posting
