#include "src/dispatch/holds.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

/// Batches whose end of a pause is kept each; older ones share one time.
constexpr std::size_t resumed_max = 64;

bool concerns(const ports::Pause& pause, const std::string& group) {
    return pause.scope == ports::PauseScope::rack ||
           (pause.scope == ports::PauseScope::group && pause.name == group);
}

}  // namespace

void Holds::set_pauses(std::span<const ports::Pause> pauses, WallTime at) {
    must_look_ = true;
    const auto held_before = std::exchange(batches_, {});
    for (const ports::Pause& pause : pauses) {
        if (pause.scope == ports::PauseScope::batch) {
            batches_.insert(pause.batch);
        }
    }
    for (const BatchId batch : held_before) {
        if (!batches_.contains(batch)) {
            note_resumed(batch, at);
        }
    }
    for (auto& [id, group] : groups_) {
        const bool paused = std::ranges::any_of(
            pauses, [&](const ports::Pause& pause) { return concerns(pause, group.name); });
        if (std::exchange(group.paused, paused) && !paused) {
            group.resumed_at = at;
        }
    }
}

void Holds::note_resumed(BatchId batch, WallTime at) {
    if (resumed_batches_.size() == resumed_max) {
        const auto oldest = std::ranges::min_element(
            resumed_batches_, {}, [](const auto& resumed) { return resumed.second; });
        resumed_before_ = std::max(resumed_before_, oldest->second);
        resumed_batches_.erase(oldest);
    }
    resumed_batches_.insert_or_assign(batch, at);
}

void Holds::look_at_quiet_hours(WallTime now) {
    if (quiet_ == nullptr) {
        return;
    }
    const auto until = quiet_->end(Level{0}, now);
    must_look_ = must_look_ || (until && !quiet_until_);
    quiet_until_ = until;
}

std::optional<WallTime> Holds::when_may(const OutMessage& message) const {
    if (message.pinned_sim != SimId{}) {
        return std::nullopt;
    }
    if (is_paused(message.group) || batches_.contains(message.batch)) {
        return ports::no_end_yet;
    }
    return is_quiet(message.level) ? quiet_until_ : std::nullopt;
}

bool Holds::is_paused(GroupId group) const {
    const auto found = groups_.find(group);
    return found != groups_.end() && found->second.paused;
}

bool Holds::is_quiet(Level level) const {
    return quiet_until_.has_value() && level < quiet_->below;
}

bool Holds::has_held(const OutMessage& message) const {
    const auto group = groups_.find(message.group);
    if (group != groups_.end() && message.created_at < group->second.resumed_at) {
        return true;
    }
    if (message.batch == BatchId{}) {
        return false;
    }
    const auto batch = resumed_batches_.find(message.batch);
    return message.created_at < (batch == resumed_batches_.end() ? resumed_before_ : batch->second);
}

}  // namespace smsrack::dispatch
