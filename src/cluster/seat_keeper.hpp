/// Keeps this box's seat in the fleet: enters, beats, notices a loss, and enters again.
///
/// Between entering and being seated, a caller compares what is firm here with the engine: until then the
/// box begins nothing that it did not know to be its own. It beats meanwhile, so that no other box takes it
/// for silent.
/// Time:    a beat every fifth of the lease; after a loss it enters again every enter_every.
/// Threads: the desk's; permission() by any.
#pragma once

#include "src/cluster/beat_watch.hpp"
#include "src/cluster/fleet_world.hpp"
#include "src/cluster/permission.hpp"
#include "src/cluster/seat_states.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace smsrack::cluster {

class SeatKeeper {
public:
    static constexpr std::chrono::milliseconds enter_every{1'000};

    /// All outlive the object. `report`: what this box says of itself with a beat.
    SeatKeeper(const FleetWorld& world, std::function<ports::BoxReport()> report);

    /// Posts what is due; returns when it wants to be called again.
    SteadyTime step(SteadyTime now);

    [[nodiscard]] SeatState state() const { return state_; }
    /// Grows with each entry; also while it compares.
    [[nodiscard]] const std::optional<ports::Seat>& seat() const { return seat_; }
    [[nodiscard]] bool is_seated() const { return state_ == SeatState::seated; }
    /// Not while it drains.
    [[nodiscard]] bool takes_work() const;
    /// Since it lost its seat, or began without one; nullopt: it has one.
    [[nodiscard]] std::optional<SteadyTime::duration> away_for() const;
    /// Why it has no seat, in words; empty: it has one, or has not tried yet.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    /// What is firm under this seat was compared.
    void compared(ports::Seat seat);
    /// An answer of the engine said so; of an earlier seat it is ignored.
    void note(ports::Seat seat, const Error& error);

    [[nodiscard]] const ports::Fleet& fleet() const { return fleet_; }
    [[nodiscard]] const BeatWatch& watch() const { return watch_; }
    [[nodiscard]] const Permission& permission() const { return permission_; }
    /// How far this box's clock is ahead of another one's; nullopt: it is not known.
    [[nodiscard]] std::optional<std::chrono::milliseconds> ahead_of(BoxNumber box) const;
    /// This box, as the engine has it; nullopt: it is not known yet.
    [[nodiscard]] std::optional<ports::BoxRow> own_row() const;

private:
    bool move(SeatEvent event);
    void enter(SteadyTime now);
    void beat(SteadyTime now);
    void heard(const ports::Fleet& fleet, SteadyTime asked);
    void lost(const Error& error);

    const FleetWorld& world_;
    std::function<ports::BoxReport()> report_;
    SeatState state_ = SeatState::away;
    std::optional<ports::Seat> seat_ = {};
    SteadyTime next_ = {};                                       // entry or beat
    bool beats_ = false;                                         // one is in flight
    ports::Fleet fleet_ = {};                                    // as heard last
    std::map<BoxNumber, std::chrono::milliseconds> ahead_ = {};  // bound: boxes of the fleet
    SteadyTime away_since_;
    std::string trouble_ = {};
    BeatWatch watch_ = {};
    Permission permission_;
};

}  // namespace smsrack::cluster
