/// The one writer: commits whatever waits as one transaction, so that many callers share one wait
/// for the disk.
///
/// Lanes keep their own order. `line` goes first in every batch, and one that arrives while intake
/// is applied joins that batch and ends it; `intake` takes a bounded part of a batch; `upkeep` is
/// one job a batch, when no line waits, or when it has waited `upkeep_within`. An idle writer commits a single job at once, unless it may
/// wait: then it shares the commit of the next job, or has its own after `share_within`. A single intake
/// job that announces itself waits up to `follow_within` for what follows from it, and is the first of
/// that batch.
/// Unit:    jobs.
/// Threads: post() by any; step() and drain() by one writing thread. Jobs are completed on it.
/// Errors:  a failing disk fails all jobs of the batch, and all that wait where no transaction can
///          begin; the next batch tries again. A job that insists does not fail: it is the first of
///          the next batch, which comes a second later. What else is posted until then is refused
///          as it was, so that it can neither go before that job nor wait behind it. A job that
///          insists gets an error that would come again (may_be_kept_later()), where it is the
///          job's own or the database is damaged.
/// Source:  docs/decisions/0003-group-commit-and-cold-keys.md.
#pragma once

#include "db/engine/write_job.hpp"
#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/base/waiter.hpp"
#include "src/base/worker.hpp"
#include "src/ports/command.hpp"
#include "src/stats/stats.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace smsrack::db {

/// For decoded PDUs `line` is the receive buffer queue of [SMSEngine].
/// Bound:   16 of each modem, which are acknowledged after their commit.
using ports::Lane;
inline constexpr std::size_t lane_count = 3;

/// What surrounds the jobs of a batch. begin() and commit() may throw StorageFailure.
class BatchFrame : public Interface {
public:
    /// What announce() of this job says; false too where that fails. Not during a transaction.
    [[nodiscard]] virtual bool announce(WriteJob& job) = 0;
    virtual void begin() = 0;
    virtual void commit() = 0;
    virtual void committed() = 0;  ///< after a commit, before the jobs are completed
    virtual void rolled_back(const Error& failure) = 0;  ///< takes everything back, in memory too
    virtual void given_up(const Error& failure) = 0;     ///< a job that insists will not be kept
    /// after the completions: what no caller should wait for
    virtual void rest(bool lines_wait) = 0;
};

struct BatchLimits {
    std::size_t intake_waiting_max =
        8'192;  ///< beyond, try_post answers false: 0.7 s of the peak rate, 2 to 20 MiB
    std::size_t line_jobs = 512;      ///< of one batch; 256 lines have one or two each
    std::size_t intake_jobs = 1'024;  ///< of one batch: about 8 ms
    std::chrono::microseconds intake_time{
        8'000};  ///< of one batch, where rows cost more than usual
    /// The first upkeep job waits no longer for lines: a job is some ms, so they lose a tenth at most.
    std::chrono::milliseconds upkeep_within{100};
    std::chrono::milliseconds share_within{0};  ///< of a job that may wait; 0: it waits for none
    /// Of an intake job that announces itself: three threads hand its message on, which takes some 0.3 ms. 0: none
    /// does.
    std::chrono::milliseconds follow_within{3};
};

class WriteBatcher final : public Stepper {
public:
    /// All outlive the object; `waiter` is the writing thread's.
    WriteBatcher(const BatchLimits& limits, BatchFrame& frame, Waiter& waiter, const Clock& clock);

    /// Counts transactions and times them; `stats` outlives the object. Before the first step().
    void count_in(stats::Stats& stats) { stats_ = &stats; }

    /// Line and upkeep jobs are bounded by their senders: each has a bounded number on its way. An
    /// intake job needs a place that was reserved.
    void post(Lane lane, std::unique_ptr<WriteJob> job);

    /// A place for one intake job, which post() then takes; false: intake_waiting_max are waiting.
    [[nodiscard]] bool reserve_intake();

    /// One batch. Returns `now` while more waits; when it must be called again for those that
    /// insist, or that may wait; else never.
    SteadyTime step(SteadyTime now) override;

    /// Batches until nothing waits: the end, when no thread steps any more. A job that insists gets
    /// its failure now.
    void drain();
    /// What follows from an answer is left to the next process; asked for by the writing thread.
    [[nodiscard]] bool is_ending() const { return ending_; }

private:
    using Jobs = std::deque<std::unique_ptr<WriteJob>>;

    /// `sleeps`: the writer sleeps after it, whatever came, so the next post must wake it.
    void fetch(bool sleeps = false);
    [[nodiscard]] bool anything_waits() const;
    [[nodiscard]] bool all_may_wait() const;
    [[nodiscard]] bool no_other_must() const;
    [[nodiscard]] bool may_follow() const;
    [[nodiscard]] bool sleeps_on();
    [[nodiscard]] SteadyTime commit_at(SteadyTime now);
    /// `announced`: the one intake job was.
    void apply_all(bool announced);
    void apply(Jobs& jobs, std::size_t limit);
    void take(Jobs& jobs);
    void take_all();
    void refuse_all();
    void apply_intake();
    void apply_upkeep();
    [[nodiscard]] bool upkeep_is_late();
    void run_batch();
    void complete(const Result<>& kept, const WriteJob* failed_itself);
    void count(bool kept, SteadyTime began);

    const BatchLimits limits_;
    BatchFrame& frame_;
    Waiter& waiter_;
    const Clock& clock_;
    stats::Stats* stats_ = nullptr;  // null: nothing is counted

    std::mutex mutex_;  // guards arrived_, asleep_
    std::array<Jobs, lane_count> arrived_ = {};
    bool asleep_ = true;  // the writer has nothing to do now: the next post wakes it
    std::atomic<bool> line_arrived_ = false;
    std::atomic<std::size_t> intake_waiting_ = 0;

    std::array<Jobs, lane_count> waiting_ = {};  // from here on the writing thread's
    std::vector<std::unique_ptr<WriteJob>> batch_ = {};
    Jobs insisting_ = {};  // refused by the disk, in their order
    Error refused_ = {};   // why, the last time
    SteadyTime insist_at_ = {};
    std::optional<SteadyTime> share_until_ = {};   // since all that waits may wait
    std::optional<SteadyTime> upkeep_until_ = {};  // then one is applied, whatever lines do
    std::optional<SteadyTime> follow_until_ = {};  // the one intake job was announced
    int unread_ = 0;  // batches in a row in which a job that insists could not read
    bool ending_ = false;
};

}  // namespace smsrack::db
