#include "src/sms/message_states.hpp"

#include "src/base/check.hpp"

#include <algorithm>

namespace smsrack {
namespace {

/// Place in the order from best to worst. A cancelled segment is the consequence of another one's
/// end (a permanent failure cancels those not yet sent), so it is worse only than what is still on
/// its way.
constexpr int badness(MessageState state) {
    switch (state) {
        case MessageState::delivered:
            return 0;
        case MessageState::sent:
            return 1;
        case MessageState::sending:
            return 2;
        case MessageState::queued:
            return 3;
        case MessageState::scheduled:
            return 4;
        case MessageState::elsewhere:  // of a whole message: it has no segment rows here
            return 5;
        case MessageState::uncertain:
            return 6;
        case MessageState::cancelled:
            return 7;
        case MessageState::undelivered:
            return 8;
        case MessageState::expired:
            return 9;
        case MessageState::failed:
            return 10;
    }
    return 0;
}

}  // namespace

std::optional<MessageState> message_state_of(std::string_view name) {
    for (std::size_t i = 0; i < message_state_names.size(); ++i) {
        if (message_state_names[i] == name) {
            return static_cast<MessageState>(i);
        }
    }
    return std::nullopt;
}

bool is_final(MessageState state) {
    return std::ranges::none_of(message_rules,
                                [state](const MessageRule& rule) { return rule.from == state; });
}

MessageState worst_of(std::span<const MessageState> segments) {
    SMSRACK_CHECK(!segments.empty());
    const MessageState worst = *std::ranges::max_element(segments, {}, badness);
    const bool begun = std::ranges::any_of(segments, [](MessageState state) {
        return state != MessageState::queued && state != MessageState::scheduled;
    });
    if (begun && (worst == MessageState::queued || worst == MessageState::scheduled)) {
        return MessageState::sending;
    }
    return worst;
}

bool is_partial(std::span<const MessageState> segments) {
    return std::ranges::any_of(segments,
                               [&](MessageState state) { return state != segments.front(); });
}

}  // namespace smsrack
