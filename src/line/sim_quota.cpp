#include "src/line/sim_quota.hpp"

#include "src/base/hash.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::line {
namespace {

constexpr std::uint64_t percent = 100;

/// A clock was set: what was in its minute and hour before is as recent as can be.
void date_now(SimUsage& usage, WallTime before, WallTime now) {
    SimUsage dated{.day = usage.day, .month = usage.month, .recipients = usage.recipients};
    usage.minute.turn(before);
    usage.hour.turn(before);
    dated.minute.turn(now);
    dated.minute.add(usage.minute.sum());
    dated.hour.turn(now);
    dated.hour.add(usage.hour.sum());
    usage = dated;
}

}  // namespace

std::uint64_t recipient_hash(std::string_view number) {
    return hash64(number);
}

SimQuota::SimQuota(SimQuotaSettings settings, const Clock& clock)
    : settings_(std::move(settings)), clock_(clock) {}

void SimQuota::known(ports::UsedQuota used) {
    const std::lock_guard lock(mutex_);
    usage_ = used.usage;
    recipients_ = {used.recipients.begin(), used.recipients.end()};
    wall_ = clock_.wall();
    since_boot_ = clock_.since_boot();
    usage_.turn(wall_, span_at(wall_));  // dated ahead of a clock that went back: it was now
    recipients_month_ = span_at(wall_).month;
    add_others(recipients_month_);
    known_ = true;
}

void SimQuota::forget() {
    const std::lock_guard lock(mutex_);
    known_ = false;
}

void SimQuota::share(std::optional<ports::SimShare> others) {
    const std::lock_guard lock(mutex_);
    others_ = std::move(others);
    add_others(recipients_month_);
}

bool SimQuota::is_known() const {
    const std::lock_guard lock(mutex_);
    return knows_all();
}

bool SimQuota::is_shared() const {
    const std::lock_guard lock(mutex_);
    return others_.has_value();
}

bool SimQuota::knows_all() const {
    return known_ && (!settings_.is_shared || others_);
}

/// Those of other boxes count as this one's.
void SimQuota::add_others(std::int64_t month) const {
    if (!others_) {
        return;
    }
    if (const auto of_month = others_->recipients.find(month);
        of_month != others_->recipients.end()) {
        recipients_.insert(of_month->second.begin(), of_month->second.end());
    }
}

/// What is over by the other box's calendar is over. The rest is of this day and month, whatever that box takes them for.
SimUsage SimQuota::counted_now(const ports::SimPart& part, WallTime at,
                               const CalendarSpan& span) const {
    const WallTime theirs = at - part.lead;
    const CalendarSpan their_span = span.holds(theirs) ? span : settings_.zone.span_of(theirs);
    SimUsage usage = part.usage;  // a clock that jumps forward and back forgets nothing
    usage.turn(at, their_span);
    usage.day.period = span.day;
    usage.month.period = span.month;
    return usage;
}

/// Of all boxes.
SimUsage SimQuota::with_others(SimUsage turned, WallTime at) const {
    if (others_) {
        const CalendarSpan& span = span_at(at);
        for (const ports::SimPart& part : others_->others) {
            turned.add(counted_now(part, at, span));
        }
        if (recipients_month_ == span.month) {
            turned.recipients.count = static_cast<std::uint32_t>(
                std::max<std::size_t>(turned.recipients.count, recipients_.size()));
        }
    }
    return turned;
}

std::int64_t SimQuota::month() const {
    const std::lock_guard lock(mutex_);
    return span_at(clock_.wall()).month;
}

const CalendarSpan& SimQuota::span_at(WallTime at) const {
    if (!span_.holds(at)) {
        span_ = settings_.zone.span_of(at);
    }
    return span_;
}

/// The clock was set back since the last call: what was counted is not ahead of it. Where it was set forward, more seems to be
/// over than is: the store, which has moved its count, refuses then, and is asked.
void SimQuota::follow(WallTime now) const {
    const std::chrono::nanoseconds since_boot = clock_.since_boot();
    const WallTime expected =
        wall_ + std::chrono::floor<std::chrono::milliseconds>(since_boot - since_boot_);
    if (const auto by = now - expected; by <= -clock_step_least) {
        usage_.move({.after = WallTime::min(), .until = expected, .by = by});
    }
    if (const auto by = now - expected;
        others_ && (by <= -clock_step_least || by >= clock_step_least)) {
        for (ports::SimPart& part : others_->others) {
            date_now(part.usage, expected, now);
            part.lead += by;
        }
    }
    wall_ = now;
    since_boot_ = since_boot;
}

SimUsage SimQuota::usage_at(WallTime at) const {
    follow(at);
    SimUsage usage = usage_;
    usage.turn(at, span_at(at));
    return with_others(std::move(usage), at);
}

std::optional<ports::QuotaPause> SimQuota::wait(std::uint32_t segments,
                                                std::uint64_t recipient) const {
    const std::lock_guard lock(mutex_);
    const WallTime now = clock_.wall();
    if (!knows_all()) {
        return ports::QuotaPause{};
    }
    if (!has_limits()) {
        return std::nullopt;
    }
    const CalendarSpan& span = span_at(now);
    const bool new_recipient = span.month != recipients_month_ || !recipients_.contains(recipient);
    const auto wait = quota_wait(usage_at(now), settings_.limits, span, segments, new_recipient);
    if (!wait) {
        return std::nullopt;
    }
    return ports::QuotaPause{.until = wait->until, .window = wait->window};
}

bool SimQuota::takes(std::uint64_t recipient) const {
    const auto& limit = settings_.limits[QuotaWindow::recipients];
    if (!limit) {
        return true;
    }
    const std::lock_guard lock(mutex_);
    const WallTime now = clock_.wall();
    return span_at(now).month != recipients_month_ || recipients_.contains(recipient) ||
           usage_at(now).recipients.count < *limit;
}

SimQuota::Counted SimQuota::count(WallTime at, std::uint64_t recipient) {
    const std::lock_guard lock(mutex_);
    const CalendarSpan& span = span_at(at);
    if (recipients_month_ != span.month) {
        recipients_.clear();
        recipients_month_ = span.month;
        add_others(span.month);
    }
    Counted counted{.check = {.limits = settings_.limits, .span = span, .recipient = recipient}};
    follow(clock_.wall());
    usage_.turn(at, span);
    const SimUsage before = with_others(usage_, at);
    counted.new_recipient = settings_.limits[QuotaWindow::recipients].has_value() &&
                            recipients_.insert(recipient).second;
    usage_.count(1, counted.new_recipient);
    counted.news = news_of(before, with_others(usage_, at), at);
    return counted;
}

void SimQuota::take_back(const Counted& counted) {
    const std::lock_guard lock(mutex_);
    usage_.take_back(1, counted.new_recipient);
    if (counted.new_recipient) {
        recipients_.erase(counted.check.recipient);
    }
}

/// What is spent before what is nearly so. A minute comes and goes too often to be reported.
std::optional<QuotaNews> SimQuota::news_of(const SimUsage& before, const SimUsage& now,
                                           WallTime at) {
    std::optional<QuotaNews> news;
    for (std::size_t i = 0; i < quota_window_count; ++i) {
        const auto window = static_cast<QuotaWindow>(i);
        const auto& limit = settings_.limits[window];
        const std::uint64_t was = before.used(window);
        const std::uint64_t is = now.used(window);
        if (!limit || is == was) {
            continue;
        }
        const bool spent = was < *limit && is >= *limit;
        const std::uint64_t soft = std::uint64_t{*limit} * settings_.warn_percent;
        const bool nearly = was * percent < soft && is * percent >= soft;
        hard_ += spent ? 1 : 0;
        soft_ += nearly ? 1 : 0;
        if (window == QuotaWindow::minute || (!spent && !nearly)) {
            continue;
        }
        if (window == QuotaWindow::hour) {
            WallTime& told = hour_told_.at(spent ? 1 : 0);
            if (at < told + std::chrono::hours(1)) {
                continue;
            }
            told = at;
        }
        if (!news || (spent && !news->spent)) {
            news = QuotaNews{.window = window, .spent = spent};
        }
    }
    return news;
}

ports::QuotaView SimQuota::view() const {
    const std::lock_guard lock(mutex_);
    const WallTime now = clock_.wall();
    ports::QuotaView view{.soft = soft_, .hard = hard_};
    if (!knows_all()) {
        return view;
    }
    const SimUsage usage = usage_at(now);
    for (std::size_t i = 0; i < quota_window_count; ++i) {
        const auto window = static_cast<QuotaWindow>(i);
        if (const auto& limit = settings_.limits[window]) {
            view.left.at(i) = *limit - std::min(*limit, usage.used(window));
        }
    }
    if (const auto wait = quota_wait(usage, settings_.limits, span_at(now), 1, false)) {
        view.pause = ports::QuotaPause{.until = wait->until, .window = wait->window};
    }
    return view;
}

}  // namespace smsrack::line
