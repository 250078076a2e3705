/// The send queue of one group: a few encoded messages (slot numbers), of which a free line takes
/// the highest one.
///
/// A place is reserved before the codec begins: workers may end in any order, the order is that of
/// standing. Small (two places a line), so that a high level never waits behind a long encoded
/// backlog; and what goes before all that is here has its own places, so it need not wait for one.
/// At the top of the levels every 8th that is taken is a promoted one.
/// Bound:   a ring for each first level, with all the places of the queue; their memory is taken by the constructor.
/// Threads: any; one short lock.
/// Source:  [SMSEngine] send queue; [NSB] levels; docs/papers.md 1 and 5; docs/decisions/0040-queues-and-pools-of-the-papers.md.
#pragma once

#include "src/base/check.hpp"
#include "src/queue/level_lists.hpp"
#include "src/queue/ring.hpp"
#include "src/queue/slot_pool.hpp"
#include "src/queue/start_spacing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::queue {

enum class Look : std::uint8_t { take, further, stop };

class SendQueue {
public:
    /// `urgent`: places beyond the others for what goes before one that is here. `kept_max`: lines that keep() may ever name; each has one
    /// place more.
    SendQueue(const AgeingRules& rules, std::size_t places, std::size_t urgent,
              std::size_t kept_max = 0)
        : rules_(rules),
          places_(places),
          urgent_(urgent),
          kept_max_(kept_max),
          lists_(rules, Ring<Place>(places + urgent + kept_max)) {
        SMSRACK_CHECK(places > 0);
    }

    /// No message waits here, encoded or about to be.
    [[nodiscard]] bool empty() const {
        const std::lock_guard lock(mutex_);
        return lists_.size() == 0;
    }

    /// True where there is a place for it.
    [[nodiscard]] bool has_room_for(const Turn& turn, WallTime now) const {
        const std::lock_guard lock(mutex_);
        if (lists_.size() < places_) {
            return true;
        }
        return lists_.size() < places_ + urgent_ &&
               goes_before(standing(rules_, turn, now), lists_.standing_of(*lists_.last(now), now));
    }

    /// Takes out the last one, where there is no urgent place left and this goes before it.
    [[nodiscard]] std::optional<SlotNumber> displace(const Turn& turn, WallTime now) {
        const std::lock_guard lock(mutex_);
        const Place* const last = lists_.last(now);
        if (last == nullptr || lists_.size() < places_ + urgent_ || !last->filled ||
            is_wanted(*last, now) ||
            !goes_before(standing(rules_, turn, now), lists_.standing_of(*last, now))) {
            return std::nullopt;
        }
        return lists_.remove(last->turn).slot;
    }

    /// True where no promoted one is here, and there is an urgent place for one: else those of the top's own lane would keep them out.
    [[nodiscard]] bool lacks_promoted(WallTime now) const {
        const std::lock_guard lock(mutex_);
        return lists_.size() < places_ + urgent_ && lists_.first_promoted(now) == nullptr;
    }

    /// The least level of a message that the kept lines should find here, and do not; nullopt if
    /// they find enough.
    [[nodiscard]] std::optional<Level> lacks_for_kept() const {
        const std::lock_guard lock(mutex_);
        std::size_t here = 0;
        for (Level level = kept_for_; level < level_count; ++level) {
            here += lists_.of(level).size();
        }
        return here < kept_lines_.size() ? std::optional(kept_for_) : std::nullopt;
    }

    /// A place for a message that is being encoded: where the queue has room for it, or lacks it.
    void reserve(const Turn& turn, SlotNumber slot) {
        const std::lock_guard lock(mutex_);
        SMSRACK_CHECK(lists_.size() < places_ + urgent_ + kept_lines_.size());
        lists_.insert({turn, slot, false});
    }

    void fill(const Turn& turn) {
        const std::lock_guard lock(mutex_);
        Place* const place = lists_.find(turn);
        SMSRACK_CHECK(place != nullptr);
        place->filled = true;
    }

    /// The message could not be encoded: its place is free again.
    void give_up(const Turn& turn) {
        const std::lock_guard lock(mutex_);
        (void)lists_.remove(turn);
    }

    /// Lines may take by themselves only while it is open: dispatch closes it when it has something to decide.
    void open(bool lines_may_take) {
        const std::lock_guard lock(mutex_);
        open_ = lines_may_take;
    }

    /// How far apart lines that take by themselves should start.
    void space(const SpacingRule& rule) {
        const std::lock_guard lock(mutex_);
        spacing_.follow(rule);
    }
    /// For a line that could take the next one now: how long it is to rest before. 0 where nothing waits.
    [[nodiscard]] std::chrono::nanoseconds rest_before_next(ModemId line, SteadyTime now) {
        const std::lock_guard lock(mutex_);
        return lists_.size() == 0 ? std::chrono::nanoseconds{} : spacing_.rest(line, now);
    }

    /// From now on these lines alone take only messages whose first level is `least` or above.
    void keep(std::vector<ModemId> lines, Level least) {
        const std::lock_guard lock(mutex_);
        SMSRACK_CHECK(lines.size() <= kept_max_);
        kept_lines_ = std::move(lines);
        kept_for_ = least;
    }
    [[nodiscard]] bool is_kept(ModemId line) const {
        const std::lock_guard lock(mutex_);
        return least_of(line) > 0;
    }

    /// For dispatch: the first encoded message for this line that `judge` takes, as far as it looks.
    template <typename Judge>
    [[nodiscard]] std::optional<SlotNumber> take_where(ModemId line, WallTime now, Judge judge) {
        const std::lock_guard lock(mutex_);
        return take_first(least_of(line), now, judge, IfUnfit::pass);
    }

    /// For a line: the first one, while open and if the message is `fit`. One that is not is dispatch's to decide about, also where it is the turn
    /// of the promoted: else what only dispatch may give would never have it.
    template <typename Fit>
    [[nodiscard]] std::optional<SlotNumber> take_if(ModemId line, WallTime now, Fit fit) {
        const std::lock_guard lock(mutex_);
        if (!open_) {
            return std::nullopt;
        }
        return take_first(
            least_of(line), now,
            [&](SlotNumber slot) { return fit(slot) ? Look::take : Look::stop; }, IfUnfit::leave);
    }

    /// How many are here, encoded or about to be, that `counts`.
    template <std::predicate<SlotNumber> Counts>
    [[nodiscard]] std::size_t count_if(Counts counts) const {
        const std::lock_guard lock(mutex_);
        std::size_t found = 0;
        for (Level level = 0; level < level_count; ++level) {
            const auto& list = lists_.of(level);
            for (std::size_t i = 0; i < list.size(); ++i) {
                found += counts(list[i].slot) ? 1 : 0;
            }
        }
        return found;
    }

    /// For no line: what `judge` takes leaves the queue.
    template <typename Judge>
    [[nodiscard]] std::optional<SlotNumber> withdraw(WallTime now, Judge judge) {
        const std::lock_guard lock(mutex_);
        const Place* const found = first_fit(0, now, judge);
        return found == nullptr ? std::nullopt : std::optional(lists_.remove(found->turn).slot);
    }

private:
    /// Whose turn it is among the promoted does not suit this line: the top's own continue, or none
    /// is taken.
    enum class IfUnfit : std::uint8_t { pass, leave };

    struct Place {
        Turn turn = {};
        SlotNumber slot = 0;
        bool filled = false;
    };
    using Lists = LevelLists<Place, Ring<Place>>;

    /// Here for the turn of the promoted, or for a kept line: not because it goes before others.
    [[nodiscard]] bool is_wanted(const Place& place, WallTime now) const {
        const bool for_kept = !kept_lines_.empty() && place.turn.first >= kept_for_;
        return for_kept || lists_.first_promoted(now) == &place;
    }

    [[nodiscard]] Level least_of(ModemId line) const {
        return std::ranges::find(kept_lines_, line) == kept_lines_.end() ? Level{0} : kept_for_;
    }

    /// Nothing overtakes one that is still being encoded, and goes before it.
    template <typename Judge>
    const Place* first_fit(Level least, WallTime now, Judge& judge) {
        Lists::Walk walk(lists_, now);
        while (const Place* const place = walk.next()) {
            if (place->turn.first < least) {
                walk.pass(place->turn.first);
                continue;
            }
            const Look look = place->filled ? judge(place->slot) : Look::stop;
            if (look != Look::further) {
                return look == Look::take ? place : nullptr;
            }
        }
        return nullptr;
    }

    template <typename Judge>
    std::optional<SlotNumber> take_first(Level least, WallTime now, Judge judge, IfUnfit unfit) {
        const Place* found = nullptr;
        if (least == 0 && own_since_promoted_ + 1 >= promoted_every) {
            const Place* const promoted = lists_.first_promoted(now);
            const bool is_here = promoted != nullptr && promoted->filled;
            found = is_here && judge(promoted->slot) == Look::take ? promoted : nullptr;
            if (is_here && found == nullptr && unfit == IfUnfit::leave) {
                return std::nullopt;
            }
        }
        found = found != nullptr ? found : first_fit(least, now, judge);
        if (found == nullptr) {
            return std::nullopt;
        }
        if (least == 0) {
            count(lists_.standing_of(*found, now));
        }
        return lists_.remove(found->turn).slot;
    }

    void count(const Standing& taken) {
        if (taken.level == level_max) {
            own_since_promoted_ =
                taken.promoted ? 0 : std::min(own_since_promoted_ + 1, promoted_every - 1);
        }
    }

    const AgeingRules rules_;
    const std::size_t places_;
    const std::size_t urgent_;
    const std::size_t kept_max_;
    mutable std::mutex mutex_;  // guards all below
    Lists lists_;
    std::vector<ModemId> kept_lines_;
    Level kept_for_ = 0;
    unsigned own_since_promoted_ = 0;  // taken at the top, up to one less than promoted_every
    StartSpacing spacing_ = {};
    bool open_ = false;
};

}  // namespace smsrack::queue
