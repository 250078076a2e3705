/// Keeps this box's seat in the fleet: enters, beats, notices a loss, and enters again.
///
/// Between entering and being seated, a caller compares what is firm here with the engine: until then the
/// box begins nothing that it did not know to be its own. It beats meanwhile, so that no other box takes it
/// for silent.
/// It remembers which engine it was and how often it beat there, on this box's disk too: so it knows one that was
/// restored from a backup, or is another one, and says so there before anything is taken from it.
/// Time:    a beat every fifth of the lease; after a loss it enters again every enter_every. The memory is written every
///          remember_every.
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

/// Up to where this box has read what others tell it.
struct HasRead {
    ports::ReadMark rules = {};
    ports::ReadMark mail = {};
};

/// What the last beat has found behind that.
struct LastLook {
    HasRead read = {};
    std::chrono::nanoseconds since_boot{0};  ///< as it left
    bool has_rules = true;
    bool has_mail = true;
};

class SeatKeeper {
public:
    static constexpr std::chrono::milliseconds enter_every{1'000};
    static constexpr std::chrono::minutes remember_every{1};

    /// All outlive the object. `report`: what this box says of itself with a beat; `has_read` is asked with it.
    SeatKeeper(const FleetWorld& world, std::function<ports::BoxReport()> report,
               std::function<HasRead()> has_read);

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
    /// It puts back what it has.
    [[nodiscard]] bool is_returning() const {
        return state_ == SeatState::returning && !entry_.has_put_back;
    }
    /// Changes where this box puts back what it has from the first row on.
    [[nodiscard]] unsigned returns() const { return returns_; }
    /// All that the engine may lack is marked.
    void marked(unsigned returns) { marked_ = returns; }
    [[nodiscard]] bool has_marked() const { return is_returning() && marked_ == returns_; }
    /// When the engine that it returns to last knew what this box has, by this box's clock; 0: it never did.
    [[nodiscard]] WallTime known_at() const;
    /// The engine has all that this box has.
    void put_back(ports::Seat seat);
    /// Why it has no seat, in words; empty: it has one, or has not tried yet.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    /// What is firm under this seat was compared.
    void compared(ports::Seat seat);
    /// An answer of the engine said so; of an earlier seat it is ignored.
    void note(ports::Seat seat, const Error& error);

    [[nodiscard]] const ports::Fleet& fleet() const { return fleet_; }
    /// nullopt: no beat was answered under this seat yet.
    [[nodiscard]] const std::optional<LastLook>& last_look() const { return last_look_; }
    [[nodiscard]] const BeatWatch& watch() const { return watch_; }
    [[nodiscard]] const Permission& permission() const { return permission_; }
    /// How far this box's clock is ahead of another one's; nullopt: it is not known.
    [[nodiscard]] std::optional<std::chrono::milliseconds> ahead_of(BoxNumber box) const;
    /// It has beaten within a lease, as far as this box knows, and is neither off nor gone.
    [[nodiscard]] bool is_running(const ports::BoxRow& box) const;
    /// This box, as the engine has it; nullopt: it is not known yet.
    [[nodiscard]] std::optional<ports::BoxRow> own_row() const;

private:
    bool move(SeatEvent event);
    void look_up();
    void enter(SteadyTime now);
    void entered(const ports::Entry& entry);
    [[nodiscard]] bool has_forgotten(const ports::Entry& entry) const;
    void doubt();
    void answered(ports::Seat seat);
    void note_put_back(ports::Seat seat);
    [[nodiscard]] bool all_are_back() const;
    void remember(std::int64_t beats);
    void beat(SteadyTime now);
    void heard(const ports::Fleet& fleet, SteadyTime asked);
    void lost(const Error& error);

    const FleetWorld& world_;
    std::function<ports::BoxReport()> report_;
    std::function<HasRead()> has_read_;
    SeatState state_ = SeatState::away;
    std::optional<ports::Seat> seat_ = {};
    ports::Entry entry_ = {};  // the newest; its beats and what is put back follow what is heard
    bool doubts_ = false;      // Doubt is in flight: no beat may say that all is well
    unsigned returns_ = 0;
    unsigned marked_ = 0;  // of returns_
    // nullopt: this box had no seat before
    std::optional<ports::EngineMemory> memory_ = {};
    bool is_looked_up_ = false;
    SteadyTime remembers_at_ = {};
    SteadyTime next_ = {};  // entry or beat
    bool beats_ = false;    // one is in flight
    std::optional<LastLook> last_look_ = {};
    ports::Fleet fleet_ = {};                                    // as heard last
    std::map<BoxNumber, std::chrono::milliseconds> ahead_ = {};  // bound: boxes of the fleet
    SteadyTime away_since_;
    std::string trouble_ = {};
    BeatWatch watch_ = {};
    Permission permission_;
};

}  // namespace smsrack::cluster
