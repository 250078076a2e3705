/// Which events a webhook wants.
#pragma once

#include "src/config/webhook_settings.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/event.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::webhook {

class EventFilter {
public:
    explicit EventFilter(const config::WebhookSettings& settings)
        : name_(settings.name), client_(settings.client), patterns_(settings.events) {}

    /// By its name; a webhook does not get its own dead events.
    [[nodiscard]] bool wants_type(const Event& event) const;
    /// It may be one of a message of the client; the store knows more.
    [[nodiscard]] bool may_want(const Event& event) const {
        return wants_type(event) && (client_.empty() || event.client.value > 0);
    }

    /// Only this client's events are wanted; empty: everyone's.
    [[nodiscard]] const std::string& client() const { return client_; }

private:
    std::string name_;
    std::string client_;
    std::vector<std::string> patterns_;  // "message.sent" or "message.*"
};

/// "message.*" has each name that begins with "message.".
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

}  // namespace smsrack::webhook
