/// The rack in memory: the objects between the store and the modems, and their threads.
///
/// Threads: made, started and stopped by the main thread.
#pragma once

#include "db/sqlite_store.hpp"
#include "firmware-host/rack_address.hpp"
#include "firmware-host/rack_line.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/base/executor.hpp"
#include "src/base/worker.hpp"
#include "src/codec/receive_codec.hpp"
#include "src/codec/send_codec.hpp"
#include "src/config/settings.hpp"
#include "src/dispatch/dispatcher.hpp"
#include "src/dispatch/rack_status.hpp"
#include "src/dispatch/scale/scaler.hpp"
#include "src/dispatch/self_sms/self_sms.hpp"
#include "src/dispatch/self_sms/self_sms_order.hpp"
#include "src/overload/admission.hpp"
#include "src/stats/stats.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::host {

/// What the rack is made of and does not own; all outlive it.
struct RackWorld {
    db::SqliteStore& store;  ///< reports to `address`
    Executor& codec_pool;
    RackAddress& address;
    stats::Stats& stats;
    GuardedClock& clock;
    Random& random;
    const ErrorTable& errors;
    Log& log;
    OpenPort open_port;
    PowerOf power_of;
    /// What is wrong with the box, as the host sees it; empty: nothing.
    std::function<std::vector<ports::Condition>()> box = {};
    rules::QuietHours quiet = {};
    ports::SimShares* shares = nullptr;  ///< of the fleet; null: there is none
};

class Rack final : public ports::LineOrders {
public:
    /// Reads groups and open attempts from the store, whose writing thread runs already. `left`: what an earlier
    /// run has left of lines; those of this configuration are gone on with, and moved from. `learned`: what it knew.
    /// storage; bad_config: a quota_zone that this machine does not know.
    [[nodiscard]] static Result<std::unique_ptr<Rack>> make(const config::Settings& settings,
                                                            RackWorld world,
                                                            std::vector<LineHandOver> left = {},
                                                            const RackLearned& learned = {});

    Rack(const config::Settings& settings, RackWorld world);
    Rack(const Rack&) = delete;
    Rack& operator=(const Rack&) = delete;
    ~Rack() override;

    void start();
    /// For a run that only reads: start() starts no thread, the modems show why, and so is each order
    /// refused. Before start().
    void stay_down(std::string why);
    /// Without start(): the caller that drives the rack itself steps these, the dispatcher first.
    [[nodiscard]] std::vector<Stepper*> steppers();
    /// The port of the modem with this place in the configuration may have come. Any thread.
    void port_changed(std::size_t line) { lines_.at(line).address.port_changed(); }
    /// Nothing more is given to a line; what is in flight continues.
    void stop_giving() { world_.address.dispatcher.stop_giving(); }
    [[nodiscard]] bool holds_nothing() const { return dispatcher_.in_hand() == 0; }

    // -- to leave it to the next run, in rack_hand_over.cpp
    using LineNames = std::set<std::string, std::less<>>;
    /// The lines of these names begin nothing more, or resume.
    void hold(const LineNames& names, bool held);
    /// They begin nothing more, and no run continues with them: their ports go to other programs.
    void hold_to_end(const LineNames& names);
    /// Those that can't be left to another run yet. Empty: all can.
    [[nodiscard]] std::vector<std::string> unsettled(const LineNames& names,
                                                     line::LineAddress::Want want) const;
    [[nodiscard]] LineNames line_names() const;
    /// After stop(): what other threads have left for the lines is done. `decode`: until the codec has nothing left;
    /// `write`: until the store has written all.
    void settle(const std::function<void()>& decode, const std::function<void()>& write);
    /// After settle(): lines whose modems are set up. The rack's own descriptors are closed when it ends.
    [[nodiscard]] std::vector<LineHandOver> leave();
    /// After settle(), and when all that was asked for is answered.
    [[nodiscard]] RackLearned learned() const;
    /// Of the lines left to this run, those that continue.
    [[nodiscard]] std::size_t adopted() const;

    /// Ends the threads; what is in a modem's hand stays open in the store. The codec pool ends after this.
    void stop();

    [[nodiscard]] const ports::RackView& view() const { return view_; }
    [[nodiscard]] const rules::QuietHours& quiet_hours() const { return world_.quiet; }
    /// The door's watch, for intake.
    [[nodiscard]] const ports::SimNumbers& sims() const { return world_.address.board; }
    [[nodiscard]] overload::Admission& admission() { return admission_; }
    [[nodiscard]] const dispatch::FlowMeter& flow() const { return world_.address.flow; }

    [[nodiscard]] Result<> order(std::string_view line, ports::HandOrder order,
                                 ports::HandDone done) override;
    [[nodiscard]] Result<> gate(std::string_view line, ports::GateOrder order,
                                ports::GateDone done) override;

    /// Self-SMS by order; any thread.
    [[nodiscard]] ports::SelfSmsOrders& self_sms_orders() { return self_sms_order_; }

    // -- for the watchdog
    [[nodiscard]] std::vector<const Worker*> workers() const;
    [[nodiscard]] SteadyTime starves_since() const { return dispatcher_.starves_since(); }

private:
    [[nodiscard]] Result<> add_groups(const config::Settings& settings);
    [[nodiscard]] Result<> add_lines(const config::Settings& settings,
                                     std::vector<LineHandOver> left);
    [[nodiscard]] Result<> read_store();
    void adopt_lines();
    void adopt_wakes(const std::vector<WakeCarried>& wakes);
    [[nodiscard]] ports::GroupLines lines_of(const std::string& group, std::uint32_t n_max) const;
    [[nodiscard]] std::int64_t waiting_for_lines() const;
    [[nodiscard]] RackLine* line_named(std::string_view name);
    [[nodiscard]] Result<RackLine*> orderable(std::string_view name);
    [[nodiscard]] dispatch::SelfSmsWorld self_sms_world();

    RackWorld world_;
    overload::Admission admission_;
    std::vector<std::pair<GroupId, std::string>> groups_;
    queue::OutSlots slots_;
    SemaphoreWaiter scaling_waiter_;
    dispatch::ScalingBoard scaling_board_;
    codec::SendCodec send_codec_;
    codec::ReceiveCodec receive_codec_;
    dispatch::Dispatcher dispatcher_;
    dispatch::RackStatusView view_;
    dispatch::Scaler scaler_;
    SemaphoreWaiter self_sms_waiter_;
    dispatch::SelfSms self_sms_;
    dispatch::SelfSmsOrder self_sms_order_;
    std::deque<RackLine> lines_;
    Worker dispatch_worker_;
    Worker scaling_worker_;
    Worker self_sms_worker_;
    std::optional<std::string> stays_down_ = {};  // why
};

}  // namespace smsrack::host
