/// What other threads hand to a line.
#pragma once

#include "src/line/expected_answers.hpp"
#include "src/line/line_orders.hpp"
#include "src/ports/sim_shares.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

namespace smsrack::line {

// -- answers of the store
struct AttemptBegun {
    std::uint64_t number;
    Result<AttemptId> attempt;
};
struct SlotPaired {
    ports::SlotSeen seen;
    Result<ports::SlotKnown> before;
};
struct SimKnown {
    std::string iccid;
    Result<SimId> sim;
};
struct UsageKnown {
    SimId sim;
    Result<ports::UsedQuota> used;
};
/// What the other boxes of a fleet have sent by this SIM.
struct SimShared {
    std::string iccid;
    ports::SimShare share;
};
struct PinJudged {
    ports::PinTry pin;
    ports::PinVerdict verdict;
};
struct Expecting {
    ExpectedAnswers::Question question;
    Result<ports::Expected> expected;
};

// -- received PDUs, by token
struct Kept {
    std::uint32_t token;
};
struct NotKept {
    std::uint32_t token;
};

// -- orders
/// The end of the last segment is on its way to the store.
struct GoOn {};
struct PortChanged {};
struct Hold {
    bool held;
};
struct Parked {
    bool parked;
};
struct StayAwake {
    std::chrono::milliseconds length;
};

using LineMail =
    std::variant<AttemptBegun, SlotPaired, SimKnown, UsageKnown, SimShared, PinJudged, Expecting,
                 Kept, NotKept, GoOn, PortChanged, Hold, Parked, StayAwake, GivenOrder>;

}  // namespace smsrack::line
