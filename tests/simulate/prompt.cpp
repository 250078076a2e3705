#include "tests/simulate/checkers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace smsrack::simulate {
namespace {

using namespace std::chrono_literals;

/// Fewer messages wait than half of the lines could take, and one of them for so long: longer than four segments of a slow modem.
constexpr auto patience = 15s;
constexpr std::size_t few = 4;

class Prompt final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "prompt"; }

    void disturbed(SteadyTime until) override {
        undisturbed_ = std::max(undisturbed_, until);
        waiting_.clear();
    }
    void gated(const std::string& line, bool open) override {
        if (open) {
            blocked_.erase(line);
        } else {
            blocked_.insert(line);
        }
    }

    void accepted(const Told& told) override {
        if (now_ >= undisturbed_ && !begun_early_.erase(told.id)) {
            waiting_[told.id] = now_;
        }
    }
    void event(const Event& event) override {
        if (event.type == EventType::message_state && event.state != MessageState::queued &&
            waiting_.erase(event.message) == 0 && event.attempt == 1) {
            begun_early_.insert(event.message);
        }
    }

    /// `since_few_`: until then others were before them.
    void turn(test::World& world) override {
        now_ = world.clock.steady();
        if (waiting_.empty() || waiting_.size() > few || blocked_.size() > few) {
            since_few_ = now_;
            return;
        }
        for (const auto& [id, since] : waiting_) {
            if (now_ - std::max(since, since_few_) > patience) {
                throw Violation(
                    "prompt",
                    fmt::format("message {} waits for {} s on a rack with little to do", id.value,
                                std::chrono::floor<std::chrono::seconds>(now_ - since).count()),
                    {fmt::format("message {}", id.value)});
            }
        }
    }

    void settled(test::World&) override { begun_early_.clear(); }

private:
    SteadyTime now_ = {};
    SteadyTime undisturbed_ = {};
    SteadyTime since_few_ = {};
    std::map<MessageId, SteadyTime> waiting_;  // not begun, and when it was accepted
    std::set<MessageId> begun_early_;          // before their acceptance was answered
    std::set<std::string> blocked_;
};

}  // namespace

std::unique_ptr<Checker> prompt() {
    return std::make_unique<Prompt>();
}

}  // namespace smsrack::simulate
