#include "src/base/clock_move.hpp"
#include "tests/days/checkers/checkers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace smsrack::days {
namespace {

using namespace std::chrono_literals;

/// From the PDU to the network, with a modem that answers late. The machine is paused for longer.
constexpr auto slack = 2min;
/// What a modem had in flight when the machine was paused may reach the network this long after
/// that.
constexpr auto in_hand = 5min;

/// A full disk may delay for this long that the store takes how far the clock was set. A process
/// that ends before that loses it, and the next one has the wall clock alone.
constexpr auto move_waits = 5min;

/// By true time: that of the steady clock, and what it did not see.
class InTime final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "in_time"; }

    void turn(test::World& world) override {
        now_ = world.clock.steady();
        was_full_ = world.disk.is_full();  // the next process may begin only when there is room
    }
    void time_passed(SteadyTime at, std::chrono::milliseconds length) override {
        unseen_ += length;
        resumed_ = at;
        in_hand_ = begun_;
    }

    void clock_set(SteadyTime at, std::chrono::milliseconds) override { moved_ = at; }
    /// Those that were accepted later are dated by the new clock.
    void restarted(test::World&) override {
        if (moved_ && now_ - *moved_ < move_waits && was_full_) {
            std::erase_if(ends_, [&](const auto& of) { return of.second.accepted < *moved_; });
        }
    }

    void accepted(const Told& told) override {
        if (told.life < short_life) {
            ends_[told.to] = {told.id, now_, now_ + unseen_ + told.life};
        }
    }
    void event(const Event& event) override {
        if (event.type == EventType::message_state && event.state == MessageState::sending) {
            begun_.insert(event.message);
        }
    }

    void at_network(const test::Submitted& submit) override {
        const auto found = ends_.find(submit.to);
        if (found == ends_.end()) {
            return;
        }
        const End& end = found->second;
        const auto late = submit.at + unseen_ - end.at;
        const bool was_in_hand = in_hand_.contains(end.id) && submit.at < resumed_ + in_hand;
        if (late <= slack || was_in_hand) {
            return;
        }
        throw Violation(
            "in_time",
            fmt::format("message {} was given to the network {} s after its end", end.id.value,
                        std::chrono::floor<std::chrono::seconds>(late).count()),
            {fmt::format("message {}", end.id.value), submit.to, "the box"});
    }

    void settled(test::World&) override {
        ends_.clear();
        begun_.clear();
        in_hand_.clear();
    }

private:
    struct End {
        MessageId id = {};
        SteadyTime accepted = {};
        SteadyTime at = {};
    };

    SteadyTime now_ = {};
    std::chrono::milliseconds unseen_{0};
    SteadyTime resumed_ = {};
    bool was_full_ = false;
    std::optional<SteadyTime> moved_ = {};  // the clock, the last time
    std::map<std::string, End> ends_;       // by recipient: each has one such message
    std::set<MessageId> begun_;             // of this day
    std::set<MessageId> in_hand_;           // begun before the machine was paused
};

}  // namespace

std::unique_ptr<Checker> in_time() {
    return std::make_unique<InTime>();
}

}  // namespace smsrack::days
