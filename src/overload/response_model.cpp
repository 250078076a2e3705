#include "src/overload/response_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace smsrack::overload {
namespace {

constexpr Seconds service_horizon{300};         // older submits say nothing of the network of today
constexpr std::size_t service_samples_min = 8;  // whatever their age

using Tick = std::chrono::duration<std::uint64_t, std::ratio<1, 100'000>>;
constexpr std::chrono::minutes longest(30);  // the squares of 512 such are below 2^64

std::uint64_t ticks_of(std::chrono::nanoseconds time) {
    return std::chrono::round<Tick>(std::min<std::chrono::nanoseconds>(time, longest)).count();
}

std::chrono::nanoseconds whole(Seconds time) {
    return std::chrono::round<std::chrono::nanoseconds>(std::max(Seconds::zero(), time));
}

}  // namespace

void ResponseModel::Counted::change(const Submit& submit, bool with) {
    const std::uint64_t one = with ? 1 : -std::uint64_t{1};  // unsigned, so that a minus wraps
    submits += one;
    occupied += with ? submit.occupied : -submit.occupied;
    if (submit.sent) {
        const std::uint64_t ticks = ticks_of(submit.occupied);
        sent += one;
        sent_ticks += one * ticks;
        sent_squares += one * ticks * ticks;
    }
}

/// A failing submit has its line too: its time counts for those that were sent.
Service ResponseModel::Counted::service() const {
    const auto n = static_cast<double>(std::max<std::size_t>(sent, 1));
    constexpr double shortest = 1e-4;  // of a modem that answers at once: no rate is endless
    Service service{.mean = Seconds(std::max(Seconds(occupied).count() / n, shortest)),
                    .samples = std::max<std::size_t>(sent, 1)};
    const double mean = static_cast<double>(sent_ticks) / n;
    if (mean > 0) {
        const double variance = static_cast<double>(sent_squares) / n - mean * mean;
        service.variation = std::sqrt(std::max(0.0, variance)) / mean;
    }
    return service;
}

void ResponseModel::Group::served(SteadyTime now, const Submit& submit) {
    if (counted.submits == Submits::size_max) {
        counted.change(submits.back(Submits::size_max - 1).value, false);  // its place is taken now
    }
    submits.add(now, submit);
    counted.change(submit, true);
    while (counted.submits > service_samples_min &&
           Seconds(now - submits.back(counted.submits - 1).at) > service_horizon) {
        counted.change(submits.back(counted.submits - 1).value, false);
    }
    service = counted.service();
}

void ResponseModel::responded(GroupId group, Level level, Seconds took) {
    const std::lock_guard lock(mutex_);
    groups_[group].levels.at(level).add(clock_.steady(), std::max(0.0, took.count()));
}

void ResponseModel::served(GroupId group, Seconds occupied, bool sent) {
    const std::lock_guard lock(mutex_);
    groups_[group].served(clock_.steady(), {.occupied = whole(occupied), .sent = sent});
}

const ResponseModel::Group* ResponseModel::find(GroupId group) const {
    const auto found = groups_.find(group);
    return found == groups_.end() ? nullptr : &found->second;
}

Service ResponseModel::service(GroupId group) const {
    const std::lock_guard lock(mutex_);
    const Group* const of = find(group);
    return of == nullptr ? Service{} : of->service;
}

std::optional<Seconds> ResponseModel::t_recent(GroupId group, Level level, Seconds horizon) const {
    const std::lock_guard lock(mutex_);
    const Group* const of = find(group);
    if (of == nullptr) {
        return std::nullopt;
    }
    const Responses& samples = of->levels.at(level);
    const SteadyTime now = clock_.steady();
    double sum = 0;
    std::size_t count = 0;
    while (count < samples.size() && Seconds(now - samples.back(count).at) < horizon) {
        sum += samples.back(count++).value;
    }
    return count == 0 ? std::nullopt : std::optional(Seconds(sum / static_cast<double>(count)));
}

/// As time passes the oldest go first: the newest ones alone must keep the bound, or go too.
Seconds ResponseModel::back_under(GroupId group, Level level, Seconds horizon,
                                  Seconds bound) const {
    const std::lock_guard lock(mutex_);
    const Group* const of = find(group);
    if (of == nullptr) {
        return Seconds::zero();
    }
    const Responses& samples = of->levels.at(level);
    const SteadyTime now = clock_.steady();
    double sum = 0;
    std::size_t kept = 0;  // of the newest, whose mean keeps the bound
    std::size_t count = 0;
    for (; count < samples.size() && Seconds(now - samples.back(count).at) < horizon; ++count) {
        sum += samples.back(count).value;
        if (sum <= bound.count() * static_cast<double>(count + 1)) {
            kept = count + 1;
        }
    }
    return kept == count
               ? Seconds::zero()
               : std::max(Seconds::zero(), horizon - Seconds(now - samples.back(kept).at));
}

std::optional<SteadyTime> ResponseModel::last_response(GroupId group, Level level) const {
    const std::lock_guard lock(mutex_);
    const Group* const of = find(group);
    if (of == nullptr || of->levels.at(level).size() == 0) {
        return std::nullopt;
    }
    return of->levels.at(level).back(0).at;
}

std::optional<SteadyTime> ResponseModel::last_served(GroupId group) const {
    const std::lock_guard lock(mutex_);
    const Group* const of = find(group);
    if (of == nullptr || of->submits.size() == 0) {
        return std::nullopt;
    }
    return of->submits.back(0).at;
}

void ResponseModel::carry(GroupId group, GroupCarried& to) const {
    const std::lock_guard lock(mutex_);
    const Group* const of = find(group);
    if (of == nullptr) {
        return;
    }
    for (std::size_t age = of->submits.size(); age-- > 0;) {
        const auto& [at, submit] = of->submits.back(age);
        to.submits.push_back({.at = at, .occupied = submit.occupied, .sent = submit.sent});
    }
    for (std::size_t level = 0; level < level_count; ++level) {
        const Responses& samples = of->levels.at(level);
        for (std::size_t age = samples.size(); age-- > 0;) {
            to.levels.at(level).responses.push_back(
                {.at = samples.back(age).at, .took = whole(Seconds(samples.back(age).value))});
        }
    }
}

void ResponseModel::adopt(GroupId group, const GroupCarried& left) {
    const std::lock_guard lock(mutex_);
    Group& of = groups_[group];
    for (const SubmitCarried& submit : left.submits) {
        of.served(submit.at, {.occupied = whole(submit.occupied), .sent = submit.sent});
    }
    for (std::size_t level = 0; level < level_count; ++level) {
        for (const ResponseCarried& response : left.levels.at(level).responses) {
            of.levels.at(level).add(response.at, std::max(0.0, Seconds(response.took).count()));
        }
    }
}

}  // namespace smsrack::overload
