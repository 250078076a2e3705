#include "src/posting/address_rule.hpp"

#include "src/config/http_url.hpp"
#include "src/config/ip_reach.hpp"

namespace smsrack::posting {

bool permits(const config::WebhookSettings& webhook, const config::IpAddress& address) {
    switch (config::reach_of(address)) {
        case config::IpReach::never:
            return false;
        case config::IpReach::local:
            return true;
        case config::IpReach::open:
            break;
    }
    const auto url = config::http_url_of(webhook.url);
    return !webhook.proxy.empty() || webhook.insecure || (url && url->tls);
}

}  // namespace smsrack::posting
