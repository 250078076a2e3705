/// The interface of a checker: a rule that must hold of the whole rack, whatever happens to it.
///
/// A checker hears of each thing that can be seen from outside, as it happens: what was asked and answered, what is committed, what the network
/// got. It throws Violation where something is wrong. What it knows is its own, but for what the rack says of itself, which `busy`,
/// `prompt`, `bounded` and `parked` ask, and the table of states (`forward`).
/// Time:    simulated; all calls come between two turns.
#pragma once

#include "src/base/check.hpp"
#include "src/intake/intake.hpp"
#include "src/sms/event.hpp"
#include "tests/rack/support/world.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::days {

/// What may be broken. `rests`: no component asks for its next turn at once, moment after moment,
/// where its thread would never sleep.
inline constexpr std::array<std::string_view, 19> rule_names{
    "kept",    "once",   "forward", "truth",   "ends",   "reports", "inbound",
    "read",    "order",  "quota",   "gate",    "served", "busy",    "pairs",
    "bounded", "prompt", "rests",   "in_time", "parked"};

class Violation : public std::runtime_error {
public:
    /// `rule`: one of rule_names. `about`: the subject of the story.
    Violation(std::string rule, const std::string& what, std::vector<std::string> about)
        : std::runtime_error(rule + ": " + what), rule_(std::move(rule)), about_(std::move(about)) {
        SMSRACK_CHECK(std::ranges::find(rule_names, rule_) != rule_names.end());
    }

    [[nodiscard]] const std::string& rule() const { return rule_; }
    [[nodiscard]] const std::vector<std::string>& about() const { return about_; }

private:
    std::string rule_;
    std::vector<std::string> about_;
};

/// A message as it was asked for and accepted.
struct Told {
    MessageId id = {};
    std::string to;
    Level level = 0;
    std::uint8_t segments = 1;
    WallTime at = {};  ///< answered
    std::chrono::seconds life{86'400};
};

/// An SMS for a SIM of the rack, as it was given to the network.
struct Offered {
    unsigned modem = 0;
    std::uint64_t id = 0;
    std::string from = {};
    std::string text = {};
    std::string iccid = {};  ///< of the SIM that was in the modem
};

/// (number, topic) of a trigger.
using Pair = std::pair<std::string, std::string>;

/// Events of a trigger were decided: how many of them are new, and how many must or may be.
struct Decision {
    std::size_t fresh = 0;
    std::size_t must_be_new = 0;
    std::size_t may_be_new = 0;
};

class Checker {
public:
    Checker() = default;
    Checker(const Checker&) = delete;
    Checker& operator=(const Checker&) = delete;
    virtual ~Checker() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    /// This text was asked for, for this recipient; whether it is accepted is another thing.
    virtual void asked(const std::string& /*to*/, const std::string& /*text*/) {}
    /// It was answered 202.
    virtual void accepted(const Told&) {}
    /// It was refused for overload.
    virtual void refused(const std::string& /*to*/, Level) {}
    /// A committed event.
    virtual void event(const Event&) {}
    /// The network took a segment, from this SIM.
    virtual void at_network(const test::Submitted&) {}
    /// The network told of a submit of this SIM what became of it.
    virtual void reported(const test::Reported&) {}
    /// n submits will be refused with this +CMS ERROR.
    virtual void refusals_ordered(int /*code*/, int /*count*/) {}
    /// The order was answered: from now on the line gets nothing, or does again.
    virtual void gated(const std::string& /*line*/, bool /*open*/) {}
    virtual void offered(const Offered&) {}
    /// Something of it came to a modem, or left it.
    virtual void came_in(const test::InboundStep&) {}
    /// This SIM is taken out now; it may come back.
    virtual void sim_out(const std::string& /*iccid*/, SteadyTime) {}
    /// This SIM is taken out now, for good.
    virtual void sim_goes(const std::string& /*iccid*/, test::World&) {}
    /// Events of a trigger were decided.
    virtual void decided(const std::vector<Pair>&, const Decision&) {}
    /// The clock of the box was set.
    virtual void clock_set(SteadyTime, std::chrono::milliseconds /*by*/) {}
    /// The box is disturbed in a way that voids promises about time, until `SteadyTime`.
    virtual void disturbed(SteadyTime) {}
    /// The machine was paused for this long: suspended, or a VM that was paused. No steady clock
    /// saw it.
    virtual void time_passed(SteadyTime, std::chrono::milliseconds /*length*/) {}
    /// From now on nothing goes wrong, or may again: each promise holds.
    virtual void quiet(bool /*now*/) {}
    /// Another process has begun on what the disk kept.
    virtual void restarted(test::World&) {}
    /// By one that has just begun: the octets of the heap before and after.
    virtual void replaced(std::size_t /*lived*/, std::size_t /*begun*/) {}
    /// Between two turns.
    virtual void turn(test::World&) {}
    /// All faults are over, and the rack had time to end everything.
    virtual void settled(test::World&) {}
};

}  // namespace smsrack::days
