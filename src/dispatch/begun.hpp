/// Long messages of which the network took some segments: the rest waits for the same SIM.
///
/// The receiving phone joins segments of one number only. A SIM that does not come back in time is
/// given up.
/// Time:    steady; the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/queue/slot_pool.hpp"
#include "src/sms/level.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace smsrack::dispatch {

class Begun {
public:
    struct Message {
        queue::SlotNumber slot = 0;
        SimId sim = {};
        std::uint16_t group = 0;  ///< index
        Level level = 0;
        SteadyTime until = {};  ///< given up then
    };

    /// `patience`: how long a message waits for a SIM that no line has.
    explicit Begun(std::chrono::milliseconds patience) : patience_(patience) {}

    /// `message.until` is set here.
    void wait(Message message, SteadyTime now) {
        message.until = now + patience_;
        messages_.push_back(message);
    }
    /// Takes out those for which `taken(message)` says so, in the order in which they began to wait.
    template <std::predicate<const Message&> Taken>
    void take_where(Taken taken) {
        std::erase_if(messages_, taken);
    }
    [[nodiscard]] bool empty() const { return messages_.empty(); }

    /// The next turns of this SIM belong to one of these.
    [[nodiscard]] bool keeps(SimId sim) const {
        return std::ranges::find(messages_, sim, &Message::sim) != messages_.end();
    }
    [[nodiscard]] std::size_t count(std::uint16_t group, Level level) const {
        return static_cast<std::size_t>(std::ranges::count_if(messages_, [&](const Message& one) {
            return one.group == group && one.level == level;
        }));
    }

    /// Takes out those whose SIM did not come back in time. `may_come(sim)`: it is there, or may
    /// come yet; such a message waits for the whole patience from now on.
    template <std::predicate<SimId> MayCome>
    [[nodiscard]] std::vector<queue::SlotNumber> give_up(SteadyTime now, MayCome may_come) {
        std::vector<queue::SlotNumber> lost;
        for (Message& one : messages_) {
            if (may_come(one.sim)) {
                one.until = std::max(one.until, now + patience_);
            }
            if (one.until <= now) {
                lost.push_back(one.slot);
            }
        }
        std::erase_if(messages_, [&](const Message& one) { return one.until <= now; });
        return lost;
    }
    /// When the next one is given up; never: none waits.
    [[nodiscard]] SteadyTime deadline() const {
        SteadyTime first = never;
        for (const Message& one : messages_) {
            first = std::min(first, one.until);
        }
        return first;
    }

private:
    const std::chrono::milliseconds patience_;
    std::vector<Message> messages_;  // bound: the slots
};

}  // namespace smsrack::dispatch
