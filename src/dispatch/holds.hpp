/// Which messages must wait although a line is free: pauses, cancelled batches, quiet hours.
///
/// A long message that has begun never waits.
/// Time:    wall; the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/ports/pause.hpp"
#include "src/rules/quiet_hours.hpp"
#include "src/sms/message.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>

namespace smsrack::dispatch {

class Holds {
public:
    /// `quiet` outlives the object; null: there are no quiet hours.
    explicit Holds(const rules::QuietHours* quiet) : quiet_(quiet) {}

    /// Before the first pause.
    void add_group(GroupId id, std::string name) { groups_[id].name = std::move(name); }

    /// All pauses that are in force from `at` on.
    void set_pauses(std::span<const ports::Pause> pauses, WallTime at);
    /// Quiet hours begin or end.
    void look_at_quiet_hours(WallTime now);

    /// When the message may go; nullopt: now; ports::no_end_yet: the end is not known.
    [[nodiscard]] std::optional<WallTime> when_may(const OutMessage& message) const;
    /// The rack or this group is paused.
    [[nodiscard]] bool is_paused(GroupId group) const;
    [[nodiscard]] bool is_quiet(Level level) const;
    /// A pause by the operator is part of its waiting time, which says nothing of the load then.
    [[nodiscard]] bool has_held(const OutMessage& message) const;

    /// Some message that is encoded may have to wait, since something changed after looked().
    [[nodiscard]] bool must_look() const { return must_look_; }
    /// Messages came from the codec, where no look reached them.
    void came_from_codec() {
        must_look_ = must_look_ || !batches_.empty() || quiet_until_.has_value();
    }
    void looked() { must_look_ = false; }

private:
    struct Group {
        std::string name = {};
        bool paused = false;
        WallTime resumed_at = WallTime::min();  // when the last pause of rack or group ended
    };

    void note_resumed(BatchId batch, WallTime at);

    const rules::QuietHours* const quiet_;
    std::map<GroupId, Group> groups_;
    std::unordered_set<BatchId> batches_;          // paused or cancelled
    std::map<BatchId, WallTime> resumed_batches_;  // recently, resumed_max at most
    WallTime resumed_before_ = WallTime::min();    // when the last one was that is no longer in it
    std::optional<WallTime> quiet_until_ = {};     // of the levels that keep quiet hours
    bool must_look_ = false;
};

}  // namespace smsrack::dispatch
