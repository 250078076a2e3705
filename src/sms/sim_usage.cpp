#include "src/sms/sim_usage.hpp"

#include <algorithm>
#include <numeric>

namespace smsrack {

bool QuotaLimits::any() const {
    return std::ranges::any_of(by_window, [](const auto& limit) { return limit.has_value(); });
}

std::uint32_t& SlidingCount::of(std::int64_t bucket) {
    return counts_.at(static_cast<std::size_t>((bucket % places + places) % places));
}

void SlidingCount::turn(WallTime at) {
    const std::int64_t now = at.time_since_epoch() / bucket_;
    if (now < newest_) {
        const std::uint32_t all = sum();
        counts_ = {};
        of(now) = all;
    }
    for (std::int64_t next = std::max(newest_ + 1, now - places + 1); next <= now; ++next) {
        of(next) = 0;
    }
    newest_ = now;
}

void SlidingCount::move(const ClockMove& move) {
    SlidingCount anew(bucket_);
    for (std::int64_t number = newest_ - places + 1; number <= newest_; ++number) {
        const std::uint32_t segments = of(number);
        if (segments == 0) {
            continue;
        }
        const WallTime begins{bucket_ * number};
        const bool concerned = begins + bucket_ > move.after && begins <= move.until;
        // Its last moment, so that nothing leaves its window too early; but not later than now.
        const WallTime moved = begins + bucket_ - std::chrono::milliseconds(1) + move.by;
        const WallTime now = move.until + move.by;
        anew.turn(std::min(concerned ? moved : begins, now));
        anew.add(segments);
    }
    *this = anew;
}

void SlidingCount::add(std::uint32_t segments) {
    of(newest_) += segments;
}

void SlidingCount::take_back(std::uint32_t segments) {
    std::uint32_t& newest = of(newest_);
    newest -= std::min(newest, segments);
}

void SlidingCount::add(SlidingCount other) {
    const WallTime newest{bucket_ * std::max(newest_, other.newest_)};
    turn(newest);
    other.turn(newest);
    for (std::size_t i = 0; i < buckets; ++i) {
        counts_.at(i) += other.counts_.at(i);
    }
}

std::uint32_t SlidingCount::sum() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint32_t{0});
}

WallTime SlidingCount::falls_to(std::uint32_t allowed) const {
    SlidingCount copy = *this;
    std::uint32_t left = sum();
    std::int64_t bucket = newest_ - places;
    while (left > allowed && bucket < newest_) {
        left -= copy.of(++bucket);
    }
    return WallTime(bucket_ * (bucket + places));
}

void SlidingCount::restore(std::int64_t newest, const std::array<std::uint32_t, buckets>& counts) {
    newest_ = newest;
    counts_ = counts;
}

void PeriodCount::turn(std::int64_t to) {
    if (to > period) {
        count = 0;
    }
    period = to;
}

void PeriodCount::add(PeriodCount other) {
    const std::int64_t newest = std::max(period, other.period);
    turn(newest);
    other.turn(newest);
    count += other.count;
}

void SimUsage::turn(WallTime at, const CalendarSpan& span) {
    minute.turn(at);
    hour.turn(at);
    day.turn(span.day);
    month.turn(span.month);
    recipients.turn(span.month);
}

void SimUsage::move(const ClockMove& clock) {
    minute.move(clock);
    hour.move(clock);
}

void SimUsage::count(std::uint32_t segments, bool new_recipient) {
    minute.add(segments);
    hour.add(segments);
    day.count += segments;
    month.count += segments;
    recipients.count += new_recipient ? 1 : 0;
}

void SimUsage::take_back(std::uint32_t segments, bool new_recipient) {
    minute.take_back(segments);
    hour.take_back(segments);
    day.count -= std::min(day.count, segments);
    month.count -= std::min(month.count, segments);
    recipients.count -= new_recipient && recipients.count > 0 ? 1 : 0;
}

void SimUsage::add(const SimUsage& other) {
    minute.add(other.minute);
    hour.add(other.hour);
    day.add(other.day);
    month.add(other.month);
}

std::uint32_t SimUsage::used(QuotaWindow window) const {
    switch (window) {
        case QuotaWindow::minute:
            return minute.sum();
        case QuotaWindow::hour:
            return hour.sum();
        case QuotaWindow::day:
            return day.count;
        case QuotaWindow::month:
            return month.count;
        case QuotaWindow::recipients:
            break;
    }
    return recipients.count;
}

std::optional<QuotaWait> quota_wait(const SimUsage& turned, const QuotaLimits& limits,
                                    const CalendarSpan& span, std::uint32_t segments,
                                    bool new_recipient) {
    std::optional<QuotaWait> longest;
    for (std::size_t i = 0; i < quota_window_count; ++i) {
        const auto window = static_cast<QuotaWindow>(i);
        const auto& limit = limits[window];
        const std::uint32_t wanted =
            window == QuotaWindow::recipients ? (new_recipient ? 1 : 0) : segments;
        if (!limit || wanted == 0) {
            continue;
        }
        const std::uint32_t may_be_used = *limit - std::min(*limit, wanted);
        if (turned.used(window) <= may_be_used) {
            continue;
        }
        const WallTime until = window == QuotaWindow::minute ? turned.minute.falls_to(may_be_used)
                               : window == QuotaWindow::hour ? turned.hour.falls_to(may_be_used)
                               : window == QuotaWindow::day  ? span.day_end
                                                             : span.month_end;
        if (!longest || until > longest->until) {
            longest = QuotaWait{.until = until, .window = window};
        }
    }
    return longest;
}

}  // namespace smsrack
