#include "tests/days/checkers/checkers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace smsrack::days {
namespace {

using namespace std::chrono_literals;

/// Fewer messages wait than half of the lines could take, and one of them for this long: longer
/// than four segments of a slow modem. Where lines are parked, longer than what two of them need
/// for as many messages.
constexpr auto patience = 15s;
constexpr auto patience_with_few_lines = 60s;
constexpr std::size_t few = 4;

/// If nothing went wrong for this long, a message does not wait while a line is free, for longer
/// than disk and threads need.
constexpr auto calm = 30min;
constexpr auto calm_patience = 1s;
constexpr std::ptrdiff_t free_lines = 4;  // of them some may be kept for the urgent ones

bool may_send(const ports::LineView& line) {
    return line.link == ports::LinkState::active && line.manual == ports::ManualState::open &&
           !line.pause;
}

/// Not where no line could begin it: lasting trouble outlives its first minutes.
bool has_lines(const test::World& world) {
    return std::ranges::count_if(world.rack().lines(), may_send) >= 2;
}

bool has_free_lines(const test::World& world) {
    return std::ranges::count_if(world.rack().lines(), [](const ports::LineView& line) {
               return may_send(line) && !line.busy;
           }) >= free_lines;
}

class Prompt final : public Checker {
public:
    explicit Prompt(const RackRules& rules)
        : patience_(rules.scales ? patience_with_few_lines : patience) {}
    [[nodiscard]] std::string_view name() const override { return "prompt"; }

    void disturbed(SteadyTime until) override { undisturbed_ = std::max(undisturbed_, until); }
    void gated(const std::string& line, bool open) override {
        if (open) {
            blocked_.erase(line);
        } else {
            blocked_.insert(line);
        }
    }

    void accepted(const Told& told) override {
        others_.erase(told.id);
        if (!begun_early_.erase(told.id)) {
            waiting_[told.id] = now_;
        }
    }
    void event(const Event& event) override {
        if (event.type != EventType::message_state) {
            return;
        }
        if (event.state == MessageState::queued) {
            if (event.attempt == 0 && !waiting_.contains(event.message)) {
                others_.insert(event.message);
            }
            return;
        }
        others_.erase(event.message);
        if (waiting_.erase(event.message) == 0 && event.state == MessageState::sending &&
            event.attempt == 1) {
            begun_early_.insert(event.message);
        }
    }

    /// `since_few_`: until then others were before them.
    void turn(test::World& world) override {
        now_ = world.clock.steady();
        if (waiting_.empty() || waiting_.size() + others_.size() > few || blocked_.size() > few ||
            now_ < undisturbed_) {
            since_few_ = now_;
            return;
        }
        const bool is_calm = now_ > undisturbed_ + calm;
        if (!is_calm || !has_free_lines(world)) {
            since_free_ = now_;
        }
        for (const auto& [id, since] : waiting_) {
            const auto waited = now_ - std::max(since, since_few_);
            if (now_ - std::max({since, since_few_, since_free_}) > calm_patience) {
                throw told(id, since, "while lines were free, and nothing went wrong for long");
            }
            if (waited > patience_ && !has_lines(world)) {
                since_few_ = now_;
                return;
            }
            if (waited > patience_) {
                throw told(id, since, "on a rack with little to do");
            }
        }
    }

    void settled(test::World&) override { begun_early_.clear(); }

private:
    [[nodiscard]] Violation told(MessageId id, SteadyTime since, const char* where) const {
        return {
            "prompt",
            fmt::format("message {} waits for {} ms {}", id.value,
                        std::chrono::floor<std::chrono::milliseconds>(now_ - since).count(), where),
            {fmt::format("message {}", id.value)}};
    }

    std::chrono::seconds patience_;
    SteadyTime now_ = {};
    SteadyTime undisturbed_ = {};
    SteadyTime since_few_ = {};
    SteadyTime since_free_ = {};               ///< calm, and lines are free
    std::map<MessageId, SteadyTime> waiting_;  // not begun, and when it was accepted
    std::set<MessageId> others_;  // of triggers, and those whose acceptance is not answered yet
    std::set<MessageId> begun_early_;  // before that
    std::set<std::string> blocked_;
};

}  // namespace

std::unique_ptr<Checker> prompt(const RackRules& rules) {
    return std::make_unique<Prompt>(rules);
}

}  // namespace smsrack::days
