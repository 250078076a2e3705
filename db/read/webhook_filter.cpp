#include "db/read/webhook_filter.hpp"

#include <algorithm>

namespace smsrack::db {

WebhookFilter::WebhookFilter(Connection& db, std::string_view webhook, std::string_view client,
                             std::string_view events)
    : filter_{.webhook = std::string(webhook), .client = std::string(client)},
      client_(client.empty()
                  ? ClientId{}
                  : db.scalar<ClientId>("SELECT id FROM clients WHERE void_at IS NULL AND name = ?",
                                        {}, client)) {
    while (!events.empty()) {
        const std::size_t end = std::min(events.find(' '), events.size());
        filter_.patterns.emplace_back(events.substr(0, end));
        events.remove_prefix(std::min(end + 1, events.size()));
    }
}

bool WebhookFilter::wants(const Event& event) const {
    return event.client != rack_itself && filter_.may_want(event) &&
           (filter_.client.empty() || event.client == client_);
}

}  // namespace smsrack::db
