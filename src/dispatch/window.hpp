/// Which part of the backlog is in memory, and what must be read from the store next.
///
/// Each level of each group has its own share of memory, so nothing that waits takes the place of
/// what goes before it. A level that has less than its share asks for what follows the last message
/// that was read; where older ones became queued it is read again from the oldest on.
/// Unit:    messages.
/// Time:    wall; the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/dispatch/refill.hpp"
#include "src/dispatch/scale/level_share.hpp"
#include "src/ports/store.hpp"
#include "src/sms/ageing.hpp"
#include "src/sms/message.hpp"

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

namespace smsrack::dispatch {

class Window {
public:
    /// `places`: for messages in memory.
    Window(std::size_t places, const AgeingRules& ageing) : places_(places), ageing_(ageing) {}

    // -- before the first message; a group's index is its number in this order
    void add_group(GroupId id);
    void add_line();

    // -- what is here
    /// False: the message is in memory already.
    [[nodiscard]] bool enter(MessageId message) { return in_memory_.insert(message).second; }
    void leave(MessageId message) { in_memory_.erase(message); }
    [[nodiscard]] const std::unordered_set<MessageId>& in_memory() const { return in_memory_; }

    // -- what became of the store's queue
    void news(std::uint16_t group, Level level) {
        apply(level_of(group, level), RefillEvent::news);
    }
    /// All levels are read again from their oldest message on.
    void rewind();
    /// So too, of one group.
    void rewind(std::uint16_t group);
    /// So too, and an answer that is to come counts for nothing.
    void times_moved();

    // -- messages that wait in the store for a time although they are queued
    /// So much later, for each of them, are they read again: to read one takes a twentieth of it.
    static constexpr std::chrono::microseconds aside_each{25};
    void set_aside(std::uint16_t group, WallTime until);
    /// When they are read again; nullopt: there are none.
    [[nodiscard]] std::optional<WallTime> set_aside_until(std::uint16_t group) const;
    /// They are read again, if there are any.
    void end_set_aside(std::uint16_t group);
    /// So too, if their time is over.
    void end_set_aside(std::uint16_t group, WallTime now);

    // -- reading the store's queue
    struct Question {
        std::size_t limit = 0;
        EventSeq after = {};
    };
    /// What to ask the store for now; nullopt: nothing. `waiting`: messages of this level that wait
    /// in memory for their first attempt; `free`: places.
    [[nodiscard]] std::optional<Question> ask(std::uint16_t group, Level level, std::size_t waiting,
                                              std::size_t free);
    enum class Answer : std::uint8_t { unused, failed, used };
    /// The store's answer to `asked`; `rows`: how many came, nullopt: it could not read. The rows
    /// must be loaded if it is used.
    [[nodiscard]] Answer answered(std::uint16_t group, Level level, std::size_t asked,
                                  std::optional<std::size_t> rows);
    /// A row of such an answer has a place.
    void loaded(std::uint16_t group, Level level, const OutMessage& message);
    [[nodiscard]] bool is_reading(std::uint16_t group, Level level) const {
        return dispatch::is_reading(groups_[group].levels.at(level).state);
    }
    /// The store has none of this level that was not read.
    [[nodiscard]] bool is_complete(std::uint16_t group, Level level) const {
        return groups_[group].levels.at(level).state == RefillState::complete;
    }
    /// Whom a message goes before. `promoted`: in the turn of those that were promoted to the top, which
    /// the top's own messages do not take.
    enum class Lane : std::uint8_t { all, promoted };
    /// An answer that is to come may have a message that goes before this one.
    [[nodiscard]] bool may_bring_better(std::uint16_t group, const Turn& turn, WallTime now,
                                        Lane lane = Lane::all) const;

    // -- messages between two attempts that are due
    /// The store may have some of each level.
    void look_for_retries();
    /// What the store may have and there is room for. `here(group, level)`: those in memory.
    template <std::regular_invocable<std::uint16_t, Level> Here>
    [[nodiscard]] std::vector<ports::DueWishes::Retries> retry_wishes(std::size_t free,
                                                                      Here here) const;
    /// What came of these wishes.
    void retries_came(std::span<const ports::DueWishes::Retries> wished,
                      std::span<const OutMessage> came);

private:
    struct OneLevel {
        RefillState state = RefillState::behind;
        EventSeq after = {};  // OutMessage::queued_by of the last one loaded
        WallTime since = {};  // what the store still has does not wait for longer than this one
        bool retries = true;  // the store may have some between two attempts that are due
    };
    struct Group {
        explicit Group(GroupId group_id) : id(group_id) {}
        GroupId id;
        std::array<OneLevel, level_count> levels = {};
        std::optional<WallTime> set_aside_until = {};  // the first of them
        std::size_t set_aside = 0;                     // how many
    };

    [[nodiscard]] OneLevel& level_of(std::uint16_t group, Level level) {
        return groups_[group].levels.at(level);
    }
    static void apply(OneLevel& level, RefillEvent event);
    static void rewind(Group& group, RefillEvent event);

    const std::size_t places_;
    const AgeingRules ageing_;
    std::size_t lines_ = 0;
    LevelShare share_ = {};  // of each level of each group
    std::vector<Group> groups_;
    std::unordered_set<MessageId> in_memory_;  // so that no message is in the queues twice
};

template <std::regular_invocable<std::uint16_t, Level> Here>
std::vector<ports::DueWishes::Retries> Window::retry_wishes(std::size_t free, Here here) const {
    std::vector<ports::DueWishes::Retries> wishes;
    const std::size_t most = share_.retried;
    for (std::uint16_t group = 0; group < groups_.size(); ++group) {
        for (Level level = 0; level < level_count; ++level) {
            if (!groups_[group].levels.at(level).retries) {
                continue;
            }
            const std::size_t room = most - std::min<std::size_t>(most, here(group, level));
            if (const std::size_t limit = std::min(free, room); limit > 0) {
                wishes.push_back({.group = groups_[group].id, .level = level, .limit = limit});
                free -= limit;
            }
        }
    }
    return wishes;
}

}  // namespace smsrack::dispatch
