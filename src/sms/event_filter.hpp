/// Which events a webhook wants: by their names, and by the client that brought their message.
///
/// Threads: any.
#pragma once

#include "src/sms/event.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace smsrack {

struct EventFilter {
    std::string webhook = {};                ///< its name: it does not get its own dead events
    std::string client = {};                 ///< only this client's events; empty: everyone's
    std::vector<std::string> patterns = {};  ///< "message.sent" or "message.*"

    /// By its name alone.
    [[nodiscard]] bool wants_type(const Event& event) const;
    /// It may be one of a message of the client; the store knows more. The box that accepted a message
    /// reports it, and no other box of its fleet.
    [[nodiscard]] bool may_want(const Event& event) const {
        return wants_type(event) && event.origin == MessageId{} &&
               (client.empty() || event.client.value > 0);
    }
};

/// "message.*" has each name that begins with "message.".
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

}  // namespace smsrack
