/// Where the rest of the rack reaches the dispatcher. It exists before the dispatcher, and before the
/// store and the lines, which write to it.
///
/// Threads: any; each call hands over one piece of mail.
#pragma once

#include "src/dispatch/dispatch_world.hpp"

#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

class DispatchAddress final : public ports::LineListener {
public:
    /// Of the dispatcher's thread; it outlives the object.
    explicit DispatchAddress(Waiter& waiter) : mailbox_(waiter) {}

    // -- the store
    /// Comes again only after the dispatcher has begun to read what waits: until then it knows.
    void work_waits(GroupId group, Level level) {
        {
            const std::lock_guard lock(mutex_);
            if (!known_.emplace(group, level).second) {
                return;
            }
        }
        mailbox_.push(WorkWaits{group, level});
    }
    [[nodiscard]] bool begins_at_once(GroupId group) {
        const std::lock_guard lock(mutex_);
        return eager_.contains(group);
    }
    /// Then nothing begins at once until the dispatcher has seen it.
    void about_to_queue(const OutMessage& message) {
        show_eager(message.group, false);
        mailbox_.push(AboutToQueue{message});
    }
    void due_hint(WallTime at) { mailbox_.push(DueHint{at}); }
    /// While these pauses hold their messages wait; what is in flight ends.
    void pauses_changed(std::vector<ports::Pause> pauses) {
        mailbox_.push(PausesChanged{std::move(pauses)});
    }

    // -- the lines
    void line_ready(ModemId line, SimId sim) override { mailbox_.push(LineReady{line, sim}); }
    void line_lost(ModemId line) override { mailbox_.push(LineLost{line}); }
    void segment_done(ModemId line, ports::SegmentDone done) override {
        mailbox_.push(SegmentEnded{line, std::move(done)});
    }
    void late_answer(ModemId, ports::LateSegment late) override {
        mailbox_.push(LateAnswered{late});
    }
    void earlier_attempt(ModemId line, SubmitOutcome outcome) override {
        mailbox_.push(EarlierAnswered{line, outcome});
    }

    // -- orders
    /// Whether the line is given work; it ends what it holds. `done` may be empty.
    void gate(ModemId line, ports::GateOrder order, ports::GateDone done) {
        mailbox_.push(GateOrdered{line, order, std::move(done)});
    }
    /// From now on no line gets anything; what is in flight ends.
    void stop_giving() { mailbox_.push(StopGiving{}); }

    // -- the dispatcher
    [[nodiscard]] DispatchBox& mailbox() { return mailbox_; }
    /// What begins_at_once() says; for one message.
    void show_eager(GroupId group, bool eager) {
        const std::lock_guard lock(mutex_);
        eager ? void(eager_.insert(group)) : void(eager_.erase(group));
    }
    /// What is committed from now on may not be in what it reads.
    void reads(const WorkWaits& what) {
        const std::lock_guard lock(mutex_);
        known_.erase({what.group, what.level});
    }

private:
    DispatchBox mailbox_;
    std::mutex mutex_;                           // guards what follows
    std::set<std::pair<GroupId, Level>> known_;  // WorkWaits was sent since the last reads()
    std::set<GroupId> eager_;                    // bound: groups
};

}  // namespace smsrack::dispatch
