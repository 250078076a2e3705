/// Seven lists, one per first level, each in order of age. Their heads are merged by their current
/// level.
///
/// Since standing only depends on first level and age, the merge is the exact order of [NSB]'s levels with promotion: nothing is ever
/// moved from list to list, and the next one costs O(levels).
/// Bound:   that of the lists: a deque follows what comes, a Ring has its places from the start.
/// Threads: none of its own.
#pragma once

#include "src/sms/ageing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <iterator>
#include <ranges>
#include <utility>

namespace smsrack::queue {

template <typename T>
void insert_at(std::deque<T>& list, std::size_t index, T entry) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(index), std::move(entry));
}
template <typename T>
T take_at(std::deque<T>& list, std::size_t index) {
    const auto place = list.begin() + static_cast<std::ptrdiff_t>(index);
    T entry = std::move(*place);
    list.erase(place);
    return entry;
}

/// `Entry` has a member `turn`. `List` is a sequence of them with insert_at() and take_at().
template <typename Entry, typename List = std::deque<Entry>>
class LevelLists {
public:
    /// `each`: of what every list is made a copy.
    explicit LevelLists(const AgeingRules& rules, const List& each = List()) : rules_(rules) {
        lists_.fill(each);
    }

    void insert(Entry entry) {
        List& list = lists_.at(entry.turn.first);
        const std::size_t place = place_of(list, entry.turn);
        insert_at(list, place, std::move(entry));
    }

    /// Null: it is not here.
    [[nodiscard]] Entry* find(const Turn& turn) {
        List& list = lists_.at(turn.first);
        const std::size_t place = place_of(list, turn);
        return place < list.size() && list[place].turn == turn ? &list[place] : nullptr;
    }

    /// Of one that is here.
    Entry remove(const Turn& turn) {
        List& list = lists_.at(turn.first);
        return take_at(list, place_of(list, turn));
    }

    [[nodiscard]] const List& of(Level first) const { return lists_.at(first); }

    [[nodiscard]] std::size_t size() const {
        std::size_t sum = 0;
        for (const auto& list : lists_) {
            sum += list.size();
        }
        return sum;
    }

    [[nodiscard]] Standing standing_of(const Entry& entry, WallTime now) const {
        return standing(rules_, entry.turn, now);
    }

    /// The oldest of those that were promoted to the top; null: none was.
    [[nodiscard]] const Entry* first_promoted(WallTime now) const {
        const Entry* first = nullptr;
        for (Level level = 0; level < level_max; ++level) {
            const auto& list = lists_.at(level);
            if (!list.empty() && standing_of(list.front(), now).promoted &&
                (first == nullptr ||
                 goes_before(standing_of(list.front(), now), standing_of(*first, now)))) {
                first = &list.front();
            }
        }
        return first;
    }

    /// The one that comes last; null: there is none.
    [[nodiscard]] const Entry* last(WallTime now) const {
        const Entry* found = nullptr;
        for (const auto& list : lists_) {
            if (!list.empty() && (found == nullptr || goes_before(standing_of(*found, now),
                                                                  standing_of(list.back(), now)))) {
                found = &list.back();
            }
        }
        return found;
    }

    /// All of them from the first on, in the order in which they are next. Ends with a change of the lists.
    class Walk {
    public:
        Walk(const LevelLists& lists, WallTime now) : lists_(lists), now_(now) {}

        /// Null: that was the last.
        [[nodiscard]] const Entry* next() {
            const Entry* best = nullptr;
            Standing best_at;
            for (Level level = 0; level < level_count; ++level) {
                const auto& list = lists_.of(level);
                if (seen_.at(level) >= list.size()) {
                    continue;
                }
                const Entry& entry = list[seen_.at(level)];
                const Standing at = lists_.standing_of(entry, now_);
                if (best == nullptr || goes_before(at, best_at)) {
                    best = &entry;
                    best_at = at;
                }
            }
            if (best != nullptr) {
                ++seen_.at(best->turn.first);
            }
            return best;
        }

        /// The rest of this list does not concern the caller.
        void pass(Level first) { seen_.at(first) = lists_.of(first).size(); }

    private:
        const LevelLists& lists_;
        const WallTime now_;
        std::array<std::size_t, level_count> seen_ = {};
    };

    /// Of the first levels from `least` on.
    [[nodiscard]] const Entry* first(WallTime now, Level least = 0) const {
        Walk walk(*this, now);
        const Entry* entry = walk.next();
        while (entry != nullptr && entry->turn.first < least) {
            walk.pass(entry->turn.first);
            entry = walk.next();
        }
        return entry;
    }

    /// Takes all of them out.
    [[nodiscard]] std::deque<Entry> take_all() {
        std::deque<Entry> all;
        for (auto& list : lists_) {
            std::ranges::move(list, std::back_inserter(all));
            list.clear();
        }
        return all;
    }

private:
    /// Index of the first one that is not older.
    static std::size_t place_of(const List& list, const Turn& turn) {
        if (list.empty() || older(list.back().turn, turn)) {
            return list.size();
        }
        const auto indexes = std::views::iota(std::size_t{0}, list.size());
        return *std::ranges::partition_point(
            indexes, [&](std::size_t index) { return older(list[index].turn, turn); });
    }

    const AgeingRules rules_;
    std::array<List, level_count> lists_;
};

}  // namespace smsrack::queue
