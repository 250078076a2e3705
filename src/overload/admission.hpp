/// Decides whether a message of a group and level may be accepted now, and if not, when.
///
/// It knows the work before the message (the store's counts and what was admitted and is not
/// committed yet), how fast the group's lines send, and how long recent messages of the level took.
/// What it admitted is never refused later. Groups and levels are judged apart: a sick group
/// refuses only its own, and work of a level counts only for itself and those below. A paused group
/// refuses no message, and the work of a paused batch delays no message. Lines that scaling has
/// parked count from the moment when they could be ready, and are called for before the promise is
/// in danger.
/// Threads: any; one lock. ask() and settled() take some microseconds.
/// Errors:  overloaded, with why and when to come back.
/// Source:  [NSB] overload protection, docs/papers.md 5; docs/decisions/0036-parked-lines-are-capacity.md.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/result.hpp"
#include "src/overload/load_carried.hpp"
#include "src/overload/load_rule.hpp"
#include "src/overload/probe.hpp"
#include "src/overload/promises.hpp"
#include "src/overload/response_model.hpp"
#include "src/ports/rack_view.hpp"
#include "src/ports/store.hpp"
#include "src/sms/level.hpp"
#include "src/stats/decaying_rate.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::overload {

struct AdmissionSettings {
    bool protect = true;
    std::array<std::chrono::milliseconds, level_count> t_max = {};  ///< [priority] sla_ms
};

struct Request {
    std::string_view group;
    Level level = 0;
    std::uint32_t segments = 1;
    std::uint64_t who = 0;  ///< the same for the same message when it comes again
};

/// The argument of settled(), and the owner of the probe.
struct Ticket {
    std::size_t group = 0;
    Level level = 0;
    std::uint32_t segments = 0;  ///< 0: nothing to settle
    SteadyTime came = {};
};

struct Answer {
    std::optional<Error> refusal = {};  ///< nullopt: admitted
    Ticket ticket = {};
    std::optional<std::chrono::milliseconds> expected = {};  ///< until the network has it
    /// Refused, and its level has no recent sample: let it go the way for probed().
    bool probe = false;
};

/// Lines of a group that the work ahead needs, so that it takes no more than wake_share of each promise.
struct LinesNeeded {
    std::string group = {};
    std::size_t lines = 0;
};

class Admission {
public:
    /// How many of the group's lines can send.
    using LinesOf = std::function<ports::GroupLines(const std::string& group)>;
    /// A group may need more lines than are open: lines_needed() reports it. It only hands over;
    /// ask() calls it.
    using WakeLines = std::function<void()>;

    /// All outlive the object. `wake`: where lines can be parked.
    Admission(AdmissionSettings settings, const ports::Store& store, ResponseModel& responses,
              LinesOf lines, const Clock& clock, WakeLines wake = {});

    /// Before the first question. Messages of other groups are not judged.
    void add_group(GroupId id, std::string name);

    /// Each admitted message is settled() once.
    [[nodiscard]] Answer ask(const Request& request);
    /// The store has kept the message, or it has not.
    void settled(const Ticket& ticket, bool kept);
    /// A refused message has gone through the store.
    void probed(const Ticket& ticket);

    // -- from one run of the service to the next, in admission_hand_over.cpp
    /// What rows do not say; when all that was admitted is settled.
    [[nodiscard]] std::vector<GroupCarried> carried() const;
    /// After the groups were added, before the first question. Groups that are no more are forgotten.
    void adopt(const std::vector<GroupCarried>& left);

    /// Would such a message be refused now? Changes nothing.
    [[nodiscard]] std::optional<Error> look(const Request& request);
    [[nodiscard]] std::vector<ports::GroupLoad> loads();
    /// Of each group that has work; what is open and can send counts first, then what is being switched on, then parked lines.
    [[nodiscard]] std::vector<LinesNeeded> lines_needed();
    /// Messages refused for overload since the start; one that comes again, at its time or earlier,
    /// counts once.
    [[nodiscard]] std::uint64_t refused() const;
    /// Of one group; nullopt if its messages are not judged.
    [[nodiscard]] std::optional<ports::GroupLoad> load(std::string_view group);

private:
    struct AtLevel {
        std::int64_t coming = 0;    // segments admitted and not settled
        bool calls = false;         // for more lines, until these are counted
        std::uint64_t arrived = 0;  // segments kept, ever
        stats::DecayingRate accepted;
        Promises promises;
        std::optional<VirtualProbe> probe = {};
    };
    struct Group {
        GroupId id;
        std::string name;
        ports::GroupLines lines = {};
        std::vector<Seconds> waking = {};  // of `lines`
        std::vector<Seconds> later = {};   // the same and those that are parked, soonest first
        SteadyTime lines_at = SteadyTime::min();
        bool called = false;  // for more lines, since `lines_at`
        std::optional<SteadyTime> no_line_since = {};
        std::array<AtLevel, level_count> levels = {};
    };

    [[nodiscard]] Group* find(std::string_view name);
    [[nodiscard]] ports::GroupLoad load_of(Group& group, SteadyTime now);
    /// What an operator holds has no time to keep: only the store's capacity bounds it.
    [[nodiscard]] bool protects(const Group& group) const {
        return settings_.protect && !group.lines.paused;
    }
    void refresh(Group& group, SteadyTime now);
    void end_probe(Group& group, Level level, const ports::LevelCounts& work);
    [[nodiscard]] Seconds horizon(Level level) const;
    [[nodiscard]] Standing standing(Group& group, Level level, SteadyTime now,
                                    const ports::LevelCounts& work, double own);
    [[nodiscard]] static Standing without_parked(const Group& group, Standing standing);
    void call_lines(Group& group, Level level, const Standing& open);
    [[nodiscard]] std::size_t lines_needed(Group& group, SteadyTime now);
    [[nodiscard]] bool wants_probe(const Group& group, Level level, SteadyTime now) const;
    [[nodiscard]] SteadyTime come_back(Group& group, const Request& request, SteadyTime now,
                                       const Standing& standing, const Judgement& judgement);
    [[nodiscard]] SteadyTime::duration until_better(const Group& group, Level level,
                                                    const Standing& standing,
                                                    const Judgement& judgement) const;

    const AdmissionSettings settings_;
    const ports::Store& store_;
    ResponseModel& responses_;
    const LinesOf lines_of_;
    const Clock& clock_;
    const WakeLines wake_;
    mutable std::mutex mutex_;  // guards what follows
    std::vector<Group> groups_;
    std::uint64_t refused_ = 0;
};

}  // namespace smsrack::overload
