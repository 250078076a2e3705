/// What is known of the gate that sends for a webhook: which process it is, since when it is silent,
/// and whether it can send.
///
/// Time:    steady time, given with each call.
/// Threads: the loop thread.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::webhook {

class GateContact {
public:
    /// A gate that works asks or waits all the time; one that restarts is back before.
    static constexpr std::chrono::seconds silent_max{60};

    /// The service begins: a gate has silent_max to come.
    void begin(SteadyTime now) { seen_ = now; }
    /// It asks for something to send. Gives whether it is another process than before.
    [[nodiscard]] bool takes(std::string_view gate, std::string_view unusable, SteadyTime now) {
        seen(now);
        unusable_ = unusable;
        return std::exchange(gate_, std::string(gate)) != gate;
    }
    /// It asks, and has read other settings than the service, so it gets nothing.
    void misread(SteadyTime now) {
        seen(now);
        unusable_ = "it and the service have read different settings of it; reload both";
    }
    /// It calls, or waits for an answer.
    void seen(SteadyTime now) { seen_ = now; }

    /// Why nothing is sent, in words; empty: it works, as far as is known.
    [[nodiscard]] std::string fault(SteadyTime now) const {
        if (now >= seen_ + silent_max) {
            return "smsrack-gate, which sends webhooks, does not ask for its events";
        }
        return unusable_.empty() ? "" : "smsrack-gate can't send for it: " + unusable_;
    }
    /// When it counts as silent; in the past: it does.
    [[nodiscard]] SteadyTime silent_at() const { return seen_ + silent_max; }

private:
    SteadyTime seen_ = {};
    std::string gate_ = {};
    std::string unusable_ = {};
};

}  // namespace smsrack::webhook
