/// Self-SMS probes: a level that heard of no message for long gets one, to a SIM of the rack itself.
///
/// It goes the whole way of a message, past overload protection, and counts against quotas as one. While the rack or the
/// group is paused, within quiet hours, or where no line of the group can send, there is none.
/// Unit:    at most one message each `every` for a group, of one segment.
/// Time:    steady; of earlier runs the store's rows tell, by wall time, so that a service that restarts again and again sends no
///          more than one that does not. The first of a group comes half a minute after the start, where it is due.
/// Threads: step() on its own thread; self_sms_ended() on the store's writing thread.
/// Source:  [NSB] probes, docs/papers.md 5; docs/decisions/0016-overload-protection.md.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/random.hpp"
#include "src/base/worker.hpp"
#include "src/dispatch/boards.hpp"
#include "src/line/line_board.hpp"
#include "src/overload/response_model.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/store.hpp"
#include "src/rules/quiet_hours.hpp"
#include "src/sms/message.hpp"
#include "src/stats/stats.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

struct SelfSmsSettings {
    std::chrono::seconds every{0};  ///< 0: there are none
    /// of the SIMs by line, as configured; empty: not known
    std::vector<std::string> numbers = {};
    bool parked_sleep = false;  ///< a parked line may switch its radio off
};

/// What is known of a group when it is asked whether a probe is due.
struct GroupQuiet {
    bool may_send = false;   ///< a line can send, and no person holds it
    SteadyTime probed = {};  ///< the last probe, of an earlier run too
    /// by level: last sample of this run, or last probe of any
    std::array<SteadyTime, level_count> heard = {};
    std::array<bool, level_count> quiet_hours = {};  ///< by level: nothing may be sent now
};

/// The level that heard of nothing for longest, the higher one where several did; nullopt if none is due.
[[nodiscard]] std::optional<Level> self_sms_due(const GroupQuiet& group, std::chrono::seconds every,
                                                SteadyTime now);

/// A line that may be the recipient.
struct SelfSmsLine {
    std::string number = {};  ///< empty: not known
    bool receives = false;
    bool of_group = false;  ///< its SIM may be the sender
};

/// One that is not the sender for sure, where there is one: a line of another group, else any; in turn, `turn` after `turn`.
[[nodiscard]] std::optional<std::size_t> self_sms_recipient(const std::vector<SelfSmsLine>& lines,
                                                            std::size_t turn);

/// The shortest TP-VP: later it tells of another network.
inline constexpr std::chrono::minutes self_sms_time_to_live{5};
/// Of its acceptance; the service centre's clock may lag.
inline constexpr std::chrono::minutes self_sms_lost_after{6};

struct SelfSmsDraft {
    std::string to = {};  ///< number
    std::string group = {};
    Level level = 0;
    WallTime at = {};
};

/// The message that the store takes. `token`: 64 random bits.
[[nodiscard]] NewMessage self_sms_message(SelfSmsDraft draft, std::uint64_t token);

/// Counts what an event of a message that is the rack's own says of its end.
void self_sms_ended(const Event& event, line::LineBoard& board, stats::Stats& stats, Log& log);

/// All outlive the SelfSms.
struct SelfSmsWorld {
    line::LineBoard& board;
    const overload::ResponseModel& responses;
    const PauseBoard& pauses;
    const rules::QuietHours* quiet;  ///< null: there are none
    ports::Store& store;
    ports::RackStore& rack_store;
    stats::Stats& stats;
    const Clock& clock;
    Random& random;
    Log& log;
};

class SelfSms final : public Stepper {
public:
    SelfSms(SelfSmsSettings settings, SelfSmsWorld world);

    /// Some must be sent, or some of an earlier run may still be out: else it needs no thread.
    [[nodiscard]] bool has_work() const { return on() || !sent_before_.empty(); }
    /// Before the first step.
    void add_group(GroupId id, std::string name);
    /// What the store has of earlier runs. Before the first step.
    void remember(std::vector<ports::SelfSmsSent> sent) { sent_before_ = std::move(sent); }

    SteadyTime step(SteadyTime now) override;

private:
    struct Group {
        GroupId id = {};
        std::string name = {};
        GroupQuiet seen = {};
        std::size_t turn = 0;
        bool nobody = false;  // there was no recipient when one was due
    };

    [[nodiscard]] bool on() const { return settings_.every.count() > 0; }
    void begin(SteadyTime now);
    void begin(Group& group, SteadyTime now) const;
    void look(Group& group, SteadyTime now);
    void send(Group& group, Level level, SteadyTime now);
    [[nodiscard]] std::vector<SelfSmsLine> lines_for(const std::string& group) const;
    void look_for_lost(SteadyTime now);

    const SelfSmsSettings settings_;
    SelfSmsWorld world_;
    std::vector<Group> groups_;
    std::vector<ports::SelfSmsSent> sent_before_ = {};
    bool began_ = false;
    SteadyTime last_sent_ = {};  // or the start: those of the run before are looked for too
    SteadyTime next_look_for_lost_ = {};
};

}  // namespace smsrack::dispatch
