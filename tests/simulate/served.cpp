#include "tests/simulate/checkers.hpp"

#include <fmt/format.h>
#include <set>

namespace smsrack::simulate {
namespace {

/// What a report says is the network's affair, also of one part while another is on its way; and an answer may still be lost, by a fault that waited
/// for its submit.
bool is_at_network(const Event& event) {
    switch (event.state) {
        case MessageState::sent:
        case MessageState::uncertain:
        case MessageState::undelivered:
            return true;
        case MessageState::expired:
            return event.attempt > 0;  // else its time is over here
        default:
            return false;
    }
}

class Served final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "served"; }

    void quiet(bool now) override { quiet_ = now; }

    void accepted(const Told& told) override {
        if (quiet_) {
            unsent_.insert(told.id);
        }
    }
    void event(const Event& event) override {
        if (event.type == EventType::message_state && is_at_network(event)) {
            unsent_.erase(event.message);
        }
    }

    void settled(test::World&) override {
        if (!unsent_.empty()) {
            const std::string who = fmt::format("message {}", unsent_.begin()->value);
            throw Violation("served",
                            fmt::format("{} and {} more were accepted while all was well, and "
                                        "never sent",
                                        who, unsent_.size() - 1),
                            {who});
        }
    }

private:
    bool quiet_ = false;
    std::set<MessageId> unsent_;  // of a quiet hour
};

}  // namespace

std::unique_ptr<Checker> served() {
    return std::make_unique<Served>();
}

}  // namespace smsrack::simulate
