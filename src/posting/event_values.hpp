/// What an event's JSON body says of its message, for receivers that want it in other forms.
///
/// Errors:  what is not there is an empty text: a thin event, or one that is about no message.
#pragma once

#include <string>
#include <string_view>

namespace smsrack::posting {

struct EventValues {
    std::string type = {};   ///< "message.received"
    std::string at = {};     ///< RFC 3339
    std::string id = {};     ///< of the message, or of the inbox row
    std::string other = {};  ///< number of the other side: the sender, or the recipient
    std::string text = {};
    std::string modem = {};
    std::string reason = {};  ///< why it failed
};

[[nodiscard]] EventValues event_values(std::string_view body);

}  // namespace smsrack::posting
