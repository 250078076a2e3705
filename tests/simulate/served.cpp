#include "tests/simulate/checkers.hpp"

#include <fmt/format.h>
#include <set>

namespace smsrack::simulate {
namespace {

class Served final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "served"; }

    void quiet(bool now) override { quiet_ = now; }

    void accepted(const Told& told) override {
        if (quiet_) {
            unsent_.insert(told.id);
        }
    }
    /// What a report says of it afterwards is the network's affair; and an answer may still be lost, by a fault that waited for its submit.
    void event(const Event& event) override {
        if (event.type == EventType::message_state &&
            (event.state == MessageState::sent || event.state == MessageState::uncertain)) {
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
