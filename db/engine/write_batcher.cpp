#include "db/engine/write_batcher.hpp"

#include "db/engine/connection.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::db {
namespace {

// How many intake rows are applied between two looks at the line lane and the clock: about 0.2 ms.
constexpr std::size_t intake_stride = 16;
// A disk that refused one who insists is tried so often.
constexpr auto insist_every = std::chrono::seconds(1);
// A job that could not read is tried so often in all: it holds up all that comes behind it.
constexpr int read_tries = 5;

constexpr std::size_t index(Lane lane) {
    return static_cast<std::size_t>(lane);
}

}  // namespace

WriteBatcher::WriteBatcher(const BatchLimits& limits, BatchFrame& frame, Waiter& waiter,
                           const Clock& clock)
    : limits_(limits), frame_(frame), waiter_(waiter), clock_(clock) {}

void WriteBatcher::post(Lane lane, std::unique_ptr<WriteJob> job) {
    bool wake = false;
    {
        const std::lock_guard lock(mutex_);
        arrived_[index(lane)].push_back(std::move(job));
        wake = std::exchange(asleep_, false);
    }
    if (lane == Lane::line) {
        line_arrived_.store(true, std::memory_order_release);
    }
    if (wake) {
        waiter_.wake();
    }
}

bool WriteBatcher::reserve_intake() {
    if (intake_waiting_.fetch_add(1, std::memory_order_relaxed) >= limits_.intake_waiting_max) {
        intake_waiting_.fetch_sub(1, std::memory_order_relaxed);
        return false;
    }
    return true;
}

void WriteBatcher::fetch(bool sleeps) {
    line_arrived_.store(false, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        std::ranges::move(arrived_[lane], std::back_inserter(waiting_[lane]));
        arrived_[lane].clear();
    }
    asleep_ = sleeps || (batch_.empty() && (!anything_waits() || all_may_wait()));
}

bool WriteBatcher::anything_waits() const {
    return std::ranges::any_of(waiting_, [](const Jobs& jobs) { return !jobs.empty(); });
}

/// All that waits: there is something, and it may.
bool WriteBatcher::all_may_wait() const {
    return limits_.share_within.count() > 0 && !waiting_[index(Lane::line)].empty() &&
           waiting_[index(Lane::intake)].empty() && no_other_must();
}

/// But for intake.
bool WriteBatcher::no_other_must() const {
    return !ending_ && insisting_.empty() && waiting_[index(Lane::upkeep)].empty() &&
           std::ranges::all_of(waiting_[index(Lane::line)],
                               [](const auto& job) { return job->may_wait(); });
}

/// Nothing waits but one intake job, and what may wait too.
bool WriteBatcher::may_follow() const {
    return limits_.follow_within.count() > 0 && waiting_[index(Lane::intake)].size() == 1 &&
           no_other_must();
}

/// The writer sleeps although something waits; false: more has arrived.
bool WriteBatcher::sleeps_on() {
    const std::lock_guard lock(mutex_);
    asleep_ = std::ranges::all_of(arrived_, [](const Jobs& jobs) { return jobs.empty(); });
    return asleep_;
}

/// When what waits must be committed, if nothing else comes.
SteadyTime WriteBatcher::commit_at(SteadyTime now) {
    if (!follow_until_ && may_follow() && frame_.announce(*waiting_[index(Lane::intake)].front())) {
        follow_until_ = now + limits_.follow_within;
    }
    if (follow_until_) {
        return may_follow() && now < *follow_until_ && sleeps_on() ? *follow_until_ : now;
    }
    if (!all_may_wait()) {
        return now;
    }
    if (!share_until_) {
        share_until_ = now + limits_.share_within;
    }
    return *share_until_;
}

void WriteBatcher::apply(Jobs& jobs, std::size_t limit) {
    for (std::size_t n = 0; n < limit && !jobs.empty(); ++n) {
        take(jobs);
        batch_.back()->run();
    }
}

/// The first one is the batch's from now on, whatever becomes of it.
void WriteBatcher::take(Jobs& jobs) {
    batch_.push_back(std::move(jobs.front()));
    jobs.pop_front();
    if (&jobs == &waiting_[index(Lane::intake)]) {
        intake_waiting_.fetch_sub(1, std::memory_order_relaxed);
    }
}

void WriteBatcher::apply_intake() {
    Jobs& intake = waiting_[index(Lane::intake)];
    const SteadyTime until = clock_.steady() + limits_.intake_time;
    for (std::size_t done = 0; done < limits_.intake_jobs && !intake.empty();
         done += intake_stride) {
        const std::size_t before = batch_.size();
        const std::size_t stride = std::min(intake_stride, limits_.intake_jobs - done);
        apply(intake, stride);
        if (line_arrived_.load(std::memory_order_acquire) || clock_.steady() >= until ||
            batch_.size() == before) {
            return;
        }
    }
}

/// Counted from the first batch in which it waits, or from the job before it.
bool WriteBatcher::upkeep_is_late() {
    if (waiting_[index(Lane::upkeep)].empty()) {
        upkeep_until_.reset();
        return false;
    }
    const SteadyTime now = clock_.steady();
    if (!upkeep_until_) {
        upkeep_until_ = now + limits_.upkeep_within;
    }
    return now >= *upkeep_until_;
}

void WriteBatcher::apply_upkeep() {
    if (Jobs& upkeep = waiting_[index(Lane::upkeep)]; !upkeep.empty()) {
        apply(upkeep, 1);
        upkeep_until_ = clock_.steady() + limits_.upkeep_within;
    }
}

void WriteBatcher::apply_all(bool announced) {
    if (announced) {
        apply(waiting_[index(Lane::intake)], 1);  // what follows needs its row
    }
    apply(insisting_, insisting_.size());
    Jobs& lines = waiting_[index(Lane::line)];
    apply(lines, limits_.line_jobs);
    if (std::ranges::none_of(lines, [](const auto& job) { return job->insists(); })) {
        apply_intake();  // else some of it may have been posted behind that one
    }
    const bool lines_came = line_arrived_.load(std::memory_order_acquire);
    if (lines_came) {
        fetch();
        apply(lines, limits_.line_jobs);
    }
    if (upkeep_is_late() || (!lines_came && lines.empty())) {
        apply_upkeep();
    }
}

void WriteBatcher::count(bool kept, SteadyTime began) {
    if (stats_ == nullptr) {
        return;
    }
    stats_->observe(stats::Timing::commit, clock_.steady() - began);
    if (kept) {
        stats_->add(stats::Counter::store_transactions);
        stats_->add(stats::Counter::store_writes, batch_.size());
    } else {
        stats_->add(stats::Counter::store_failures);
    }
}

void WriteBatcher::take_all() {
    for (Jobs& jobs : waiting_) {
        while (!jobs.empty()) {
            take(jobs);
        }
    }
}

void WriteBatcher::run_batch() {
    batch_.clear();
    const SteadyTime began = clock_.steady();
    const bool announced = std::exchange(follow_until_, std::nullopt).has_value();
    bool begun = false;
    bool applied = false;
    const Result<> kept = guarded([&]() -> Result<> {
        frame_.begin();
        begun = true;
        apply_all(announced);
        applied = true;
        frame_.commit();
        return {};
    });
    if (!begun) {  // what waits is notified, rather than waiting for as long as that lasts
        std::ranges::move(insisting_, std::back_inserter(batch_));
        insisting_.clear();
        take_all();
    }
    count(kept.has_value(), began);
    if (kept) {
        frame_.committed();
    } else {
        frame_.rolled_back(kept.error());
    }
    complete(kept, begun && !applied ? batch_.back().get() : nullptr);
    frame_.rest(line_arrived_.load(std::memory_order_relaxed));
}

void WriteBatcher::complete(const Result<>& kept, const WriteJob* failed_itself) {
    const bool own = failed_itself != nullptr && !may_be_kept_later(kept.error());
    const bool once_more = own && failed_itself->insists() && may_be_read_again(kept.error()) &&
                           unread_ + 1 < read_tries;
    unread_ = once_more ? unread_ + 1 : 0;
    // It would fail again, and hold up all that comes behind it.
    const bool is_its_own = own && !once_more;
    Jobs again;
    for (auto& job : batch_) {
        if (kept || !job->insists() || ending_) {
            job->complete(kept ? nullptr : &kept.error());
        } else if (is_its_own ? job.get() != failed_itself
                              : kept.error().code != Errc::damaged_database) {
            again.push_back(std::move(job));
        } else {
            frame_.given_up(kept.error());
            job->complete(&kept.error());
        }
    }
    batch_.clear();
    if (!again.empty()) {
        std::ranges::move(insisting_, std::back_inserter(again));  // those that it did not come to
        insisting_ = std::move(again);
        refused_ = kept.error();
        insist_at_ = clock_.steady() + (is_its_own ? std::chrono::seconds(0) : insist_every);
    }
}

/// As the transaction before, which would fail again.
void WriteBatcher::refuse_all() {
    take_all();
    for (auto& job : batch_) {
        if (job->insists()) {
            insisting_.push_back(std::move(job));
        } else {
            job->complete(&refused_);
        }
    }
    batch_.clear();
}

SteadyTime WriteBatcher::step(SteadyTime now) {
    const bool refuses = !insisting_.empty() && now < insist_at_;
    fetch(refuses);
    if (refuses) {
        refuse_all();
        return insist_at_;
    }
    if (insisting_.empty() && !anything_waits()) {
        return never;
    }
    if (const SteadyTime at = commit_at(now); at > now) {
        return at;
    }
    share_until_.reset();
    run_batch();
    fetch();
    return insisting_.empty() && !anything_waits() ? never : now;
}

void WriteBatcher::drain() {
    ending_ = true;
    insist_at_ = {};
    while (step(clock_.steady()) != never) {
    }
}

}  // namespace smsrack::db
