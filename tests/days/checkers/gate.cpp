#include "src/sms/message_states.hpp"
#include "tests/days/checkers/checkers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace smsrack::days {
namespace {

/// Messages of which a line may begin segments after the order: the one it had then, and one that
/// it was given just before, which is reported first.
constexpr std::size_t had_before = 2;

class Gate final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "gate"; }

    void gated(const std::string& line, bool open) override {
        if (open) {
            blocked_.erase(line);
        } else {
            blocked_[line] = {had_[line]};
        }
    }

    void event(const Event& event) override {
        if (event.type != EventType::message_state || !begins(event)) {
            return;
        }
        had_[event.modem] = event.message;
        const auto line = blocked_.find(event.modem);
        if (line == blocked_.end()) {
            return;
        }
        line->second.insert(event.message);
        if (line->second.size() > had_before) {
            throw Violation("gate",
                            fmt::format("{} is drained and was given message {}", event.modem,
                                        event.message.value),
                            {event.modem, fmt::format("message {}", event.message.value)});
        }
    }

private:
    /// An attempt. Its outcome is reported with its number too, and it may be `sending` once more:
    /// refused, or sent again. The beginning of a later attempt is not always reported.
    bool begins(const Event& event) {
        if (is_final(event.state)) {
            attempts_.erase(event.message);
            return false;
        }
        const bool is_sending = event.state == MessageState::sending;
        if (!is_sending && event.state != MessageState::uncertain) {
            return false;
        }
        std::uint16_t& newest = attempts_[event.message];
        const bool next = event.attempt > newest;
        newest = std::max(newest, event.attempt);
        return next && is_sending;
    }

    std::map<MessageId, std::uint16_t> attempts_;         // the newest that began
    std::map<std::string, MessageId> had_;                // by each line, last
    std::map<std::string, std::set<MessageId>> blocked_;  // and what they began since, or had
};

}  // namespace

std::unique_ptr<Checker> gate() {
    return std::make_unique<Gate>();
}

}  // namespace smsrack::days
