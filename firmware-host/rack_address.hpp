/// What of the rack exists before its store: the listener that the store reports to, the address of
/// the dispatcher, and the boards that several threads write.
///
/// Threads: as its members say; the listener's calls come on the store's writing thread.
#pragma once

#include "src/base/log.hpp"
#include "src/base/waiter.hpp"
#include "src/dispatch/boards.hpp"
#include "src/dispatch/dispatch_address.hpp"
#include "src/dispatch/scale/flow_meter.hpp"
#include "src/line/line_board.hpp"
#include "src/notify/event_stream.hpp"
#include "src/ports/store.hpp"
#include "src/stats/stats.hpp"

#include <functional>
#include <span>
#include <vector>

namespace smsrack::host {

class RackAddress final : public ports::StoreListener {
public:
    /// All outlive the object; `loop` is the subscribers'.
    RackAddress(Executor& loop, stats::Stats& stats, const Clock& clock, Log& log)
        : flow(clock), events(loop), stats_(stats), log_(log) {}

    void committed(std::span<const Event> all, std::span<const ports::InboxRow> received) override;
    void work_waits(GroupId group, Level level) override { dispatcher.work_waits(group, level); }
    bool begins_at_once(GroupId group) override { return dispatcher.begins_at_once(group); }
    void about_to_queue(const OutMessage& message) override { dispatcher.about_to_queue(message); }
    void pauses_changed(const std::vector<ports::Pause>& now) override {
        pauses.show(now);
        dispatcher.pauses_changed(now);
    }

    /// Called when messages that boxes share began to wait here, or ended; `stop`: a recipient wants no more. Set before
    /// the store is opened.
    std::function<void(bool stop)> fleet_moved = {};
    SemaphoreWaiter dispatch_waiter;
    dispatch::DispatchAddress dispatcher{dispatch_waiter};
    line::LineBoard board;
    dispatch::FlowMeter flow;
    dispatch::PauseBoard pauses;
    notify::EventStream events;  ///< what subscribers see: not the rack's own messages

private:
    stats::Stats& stats_;
    Log& log_;
};

}  // namespace smsrack::host
