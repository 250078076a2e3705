#include "tests/days/checkers/checkers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace smsrack::days {
namespace {

/// Along one row of the table, or along several: segments of a message move one by one, and their event is the message's.
bool leads(MessageState from, MessageState to) {
    std::array<bool, message_state_count> reached{};
    reached.at(static_cast<std::size_t>(from)) = true;
    for (bool more = true; more;) {
        more = false;
        for (const MessageRule& rule : message_rules) {
            const bool is_shared =
                rule.from == MessageState::elsewhere || rule.to == MessageState::elsewhere;
            if (is_shared && from != MessageState::elsewhere && to != MessageState::elsewhere) {
                continue;  // a message that boxes share has an event where it is elsewhere
            }
            const bool is_new = reached.at(static_cast<std::size_t>(rule.from)) &&
                                !reached.at(static_cast<std::size_t>(rule.to));
            reached.at(static_cast<std::size_t>(rule.to)) |= is_new;
            more |= is_new;
        }
    }
    return reached.at(static_cast<std::size_t>(to));
}

class Forward final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "forward"; }

    void event(const Event& event) override {
        if (event.type != EventType::message_state) {
            return;
        }
        if (event.seq <= last_) {
            throw Violation(
                "forward",
                fmt::format("event {} came after event {}", event.seq.value, last_.value), {});
        }
        last_ = event.seq;
        const auto [state, first] = states_.try_emplace(event.message, event.state);
        if (!first && !leads(state->second, event.state)) {
            throw Violation(
                "forward",
                fmt::format("message {} went from {} to {}", event.message.value,
                            message_state_name(state->second), message_state_name(event.state)),
                {fmt::format("message {}", event.message.value)});
        }
        state->second = event.state;
    }

private:
    EventSeq last_ = {};
    std::map<MessageId, MessageState> states_;
};

}  // namespace

std::unique_ptr<Checker> forward() {
    return std::make_unique<Forward>();
}

}  // namespace smsrack::days
