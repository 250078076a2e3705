/// Which boxes of the fleet are in production, how much they have to do, and which one goes or comes next.
///
/// Unit:    boxes are the nodes of src/scaling; flow in messages per second.
/// Threads: one at a time.
/// Source:  [Elastic] nodes in production; as src/dispatch/scale/production does it with the modems of a box.
#pragma once

#include "src/cluster/box_work.hpp"
#include "src/ports/cluster_engine.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>

namespace smsrack::cluster {

/// A box as this one sees it.
struct BoxNode {
    ports::BoxRow row = {};
    bool is_self = false;
    bool beats = false;                ///< it is not silent
    bool comes = false;                ///< it was woken, and may still come
    std::optional<BoxWork> work = {};  ///< nullopt: it has said nothing
};

/// It carries load, or will soon: running, with a modem that can send. Else what it should carry goes to the others.
[[nodiscard]] bool is_in_production(const BoxNode& box);

/// Why a box is not parked however little it has to do: "engine_node", "last_of_group", "unknown" of one that says nothing of
/// its work, or BoxWork::stays. Empty: it may be. Valid as long as `box`.
[[nodiscard]] std::string_view why_it_stays(const BoxNode& box, std::span<const BoxNode> fleet);

class BoxProduction {
public:
    struct Counted {
        std::uint32_t boxes = 0;  ///< in production
        /// That were in it at the last look, and are not, by no decision.
        std::uint32_t crashed = 0;
        double load = 0;  ///< what was sent, or what was asked for if that is more
        double cpu = 0;   ///< mean share of those in production
        std::optional<double> forecast = {};  ///< of all that have one
        double box_rate = 0;  ///< mean of what their modems can send; 0: none has measured it
    };

    [[nodiscard]] Counted look(std::span<const BoxNode> fleet);

private:
    std::set<BoxNumber> up_ = {};  // at the last look; bound: boxes of the fleet
};

/// The box with the least work; never this one, a machine of the engine, one that says that it stays, or the last of a
/// group. Null: none may be parked, or the one with the least work is this one, which others park.
[[nodiscard]] const BoxNode* to_park(std::span<const BoxNode> fleet);

/// Times at which boxes could not be woken, by any count that grows.
using WakesFailed = std::map<BoxNumber, std::int64_t>;

/// Of the parked boxes the one whose groups have most to do; one that could not be woken comes after the others, longest ago
/// first. Null: none is parked.
[[nodiscard]] const BoxNode* to_wake(std::span<const BoxNode> fleet, const WakesFailed& failed);

}  // namespace smsrack::cluster
