#include "src/dispatch/window.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

void Window::add_group(GroupId id) {
    groups_.emplace_back(id);
    share_ = level_share(places_, groups_.size(), lines_);
}

void Window::add_line() {
    ++lines_;
    share_ = level_share(places_, groups_.size(), lines_);
}

void Window::apply(OneLevel& level, RefillEvent event) {
    const auto to = next(level.state, event);
    SMSRACK_CHECK(to);
    level.state = *to;
}

void Window::rewind(Group& group, RefillEvent event) {
    for (OneLevel& level : group.levels) {
        apply(level, event);
        level.after = {};
        level.since = {};
    }
}

void Window::rewind() {
    std::ranges::for_each(groups_, [](Group& group) { rewind(group, RefillEvent::rewind); });
}

void Window::rewind(std::uint16_t group) {
    rewind(groups_[group], RefillEvent::rewind);
}

void Window::times_moved() {
    for (Group& group : groups_) {
        group.set_aside_until.reset();
        group.set_aside = 0;
        rewind(group, RefillEvent::moved);
    }
}

void Window::set_aside(std::uint16_t group, WallTime until) {
    auto& known = groups_[group].set_aside_until;
    known = std::min(known.value_or(until), until);
    ++groups_[group].set_aside;
}

std::optional<WallTime> Window::set_aside_until(std::uint16_t group) const {
    const Group& of = groups_[group];
    return of.set_aside_until.transform([&](WallTime until) {
        return until + std::chrono::floor<WallTime::duration>(
                           static_cast<std::int64_t>(of.set_aside) * aside_each);
    });
}

void Window::end_set_aside(std::uint16_t group) {
    groups_[group].set_aside = 0;
    if (std::exchange(groups_[group].set_aside_until, std::nullopt)) {
        rewind(groups_[group], RefillEvent::rewind);
    }
}

void Window::end_set_aside(std::uint16_t group, WallTime now) {
    const auto until = set_aside_until(group);
    if (until && *until <= now) {
        end_set_aside(group);
    }
}

std::optional<Window::Question> Window::ask(std::uint16_t group, Level level, std::size_t waiting,
                                            std::size_t free) {
    OneLevel& of = level_of(group, level);
    if (!may_ask(of.state)) {
        return std::nullopt;
    }
    const bool enough = waiting >= share_.below && of.state != RefillState::rewound;
    const std::size_t limit = std::min(share_.loaded - std::min(share_.loaded, waiting), free);
    if (enough || limit == 0) {
        return std::nullopt;
    }
    apply(of, RefillEvent::asked);
    return Question{.limit = limit, .after = of.after};
}

Window::Answer Window::answered(std::uint16_t group, Level level, std::size_t asked,
                                std::optional<std::size_t> rows) {
    OneLevel& of = level_of(group, level);
    const bool spoiled = of.state == RefillState::spoiled;
    apply(of, !rows            ? RefillEvent::failed
              : *rows == asked ? RefillEvent::more_left
                               : RefillEvent::all_came);
    if (spoiled) {
        return Answer::unused;
    }
    return rows ? Answer::used : Answer::failed;
}

void Window::loaded(std::uint16_t group, Level level, const OutMessage& message) {
    OneLevel& of = level_of(group, level);
    if (of.state != RefillState::rewound) {  // else the next question begins at the oldest again
        of.after = message.queued_by;
        of.since = message.queued_at;
    }
}

bool Window::may_bring_better(std::uint16_t group, const Turn& turn, WallTime now,
                              Lane lane) const {
    const Standing here = standing(ageing_, turn, now);
    for (Level level = 0; level < level_count; ++level) {
        const OneLevel& of = groups_[group].levels.at(level);
        if (!dispatch::is_reading(of.state)) {
            continue;
        }
        const Turn at_best{.first = level, .since = of.since};
        const Standing best = standing(ageing_, at_best, now);
        const bool competes = lane == Lane::all || best.promoted;
        if (competes && goes_before(best, here)) {
            return true;
        }
    }
    return false;
}

void Window::look_for_retries() {
    for (Group& group : groups_) {
        std::ranges::for_each(group.levels, [](OneLevel& level) { level.retries = true; });
    }
}

void Window::retries_came(std::span<const ports::DueWishes::Retries> wished,
                          std::span<const OutMessage> came) {
    for (const ports::DueWishes::Retries& wish : wished) {
        const auto count = std::ranges::count_if(came, [&](const OutMessage& message) {
            return message.group == wish.group && message.level == wish.level;
        });
        const auto group = std::ranges::find(groups_, wish.group, &Group::id);
        SMSRACK_CHECK(group != groups_.end());
        group->levels.at(wish.level).retries = static_cast<std::size_t>(count) == wish.limit;
    }
}

}  // namespace smsrack::dispatch
