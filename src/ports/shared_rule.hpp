/// What an operator or a recipient decides for all boxes of a fleet, as one box has it.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/base/clock.hpp"

#include <compare>
#include <cstdint>
#include <string>

namespace smsrack::ports {

/// The numbers are stored: never change one.
enum class RuleKind : std::uint8_t { opt_out = 0, pause = 1, batch = 2 };

struct OperatorRule {
    RuleKind kind = RuleKind::opt_out;
    /// opt_out: the number; pause: "rack", "group NAME" or "batch NAME"; batch: the label of one that is cancelled.
    std::string name = {};
    bool holds = true;  ///< false: it is over
    WallTime at = {};   ///< since when
};

/// A rule that was changed on this box, and that the engine does not have yet.
struct OwnRule {
    std::int64_t number = 0;  ///< grows with each change on this box
    OperatorRule rule = {};
};

/// Place in the order of what others have committed; empty: from the begin.
struct ReadMark {
    std::uint64_t transaction = 0;
    std::int64_t number = 0;
    friend constexpr auto operator<=>(const ReadMark&, const ReadMark&) = default;
};

/// How far this box obeys the rules of its fleet.
struct RulesPlace {
    BoxNumber box = {};  ///< under this number; 0: its own rules are not rules of a fleet yet
    ReadMark mark = {};
    WallTime heard = {};  ///< when it had all, to within an hour
};

}  // namespace smsrack::ports
