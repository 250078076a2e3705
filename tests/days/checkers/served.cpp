#include "tests/days/checkers/checkers.hpp"

#include <fmt/format.h>
#include <map>
#include <set>

namespace smsrack::days {
namespace {

class Served final : public Checker {
public:
    explicit Served(const RackRules& rules) : may_run_out_(rules.segments_per_hour > 0) {}
    [[nodiscard]] std::string_view name() const override { return "served"; }

    void quiet(bool now) override { quiet_ = now; }

    void accepted(const Told& told) override {
        if (quiet_) {
            unsent_.insert(told.id);
        }
    }
    void event(const Event& event) override {
        if (event.type == EventType::message_state && is_served(event)) {
            unsent_.erase(event.message);
        }
    }
    void refusals_ordered(int code, int count) override { refusals_[code] += count; }

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
    /// What a report says is the network's affair, also of one part while another is on its way; and an answer may still be lost, by a fault that
    /// waited for its submit.
    [[nodiscard]] bool is_served(const Event& event) {
        switch (event.state) {
            case MessageState::sent:
            case MessageState::uncertain:
            case MessageState::undelivered:
                return true;
            case MessageState::failed:
                return event.cause.kind == CodeKind::cms && is_ordered(event.cause.code);
            case MessageState::expired:
                return event.attempt > 0 || may_run_out_;  // without an attempt: here
            default:
                return false;
        }
    }

    /// One of the refusals that were ordered; each is the end of one message at most.
    bool is_ordered(int code) {
        const auto left = refusals_.find(code);
        if (left == refusals_.end() || left->second == 0) {
            return false;
        }
        --left->second;
        return true;
    }

    std::map<int, int> refusals_;  // that may still come, by their code
    // What the SIMs may send in an hour: then a message waits longer than it may.
    const bool may_run_out_;
    bool quiet_ = false;
    std::set<MessageId> unsent_;  // of a quiet hour
};

}  // namespace

std::unique_ptr<Checker> served(const RackRules& rules) {
    return std::make_unique<Served>(rules);
}

}  // namespace smsrack::days
