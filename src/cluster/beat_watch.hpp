/// Which boxes of the fleet are silent, and since when.
///
/// A beat is a count that grows. No clocks are compared: this box sees the same count twice, and its own
/// steady clock says how long that took. It counts from the answer that showed the count first to the question that
/// showed it last, so it never says more than the silence was.
/// Bound:   one row for each box of the fleet.
/// Threads: one.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/cluster_engine.hpp"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace smsrack::cluster {

class BeatWatch {
public:
    /// `fleet`: an answer that came at `heard` to a question of `asked`.
    void look(std::span<const ports::BoxRow> fleet, SteadyTime asked, SteadyTime heard);

    /// How long it has been silent, as seen last; nullopt: it is not known.
    [[nodiscard]] std::optional<SteadyTime::duration> silence(BoxNumber box) const;

    /// It has beaten since this object watches.
    [[nodiscard]] bool has_beaten(BoxNumber box) const;

    struct Silent {
        ports::Seat seat = {};
        std::int64_t beats = 0;
    };
    /// As the engine had them; by number.
    [[nodiscard]] std::vector<Silent> silent_for(SteadyTime::duration length) const;

private:
    struct Seen {
        Epoch epoch = {};
        std::int64_t beats = 0;
        SteadyTime first_heard = {};
        SteadyTime last_asked = {};
        bool has_beaten = false;
    };

    std::map<BoxNumber, Seen> seen_ = {};
};

}  // namespace smsrack::cluster
