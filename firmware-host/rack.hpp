/// The rack in memory: the objects between the store and the modems, and their threads.
///
/// Threads: made, started and stopped by the main thread.
#pragma once

#include "drivers/gsm/gsm_modem.hpp"
#include "drivers/serial/byte_pipe.hpp"
#include "firmware-host/hand_over.hpp"
#include "firmware-host/rack_links.hpp"
#include "src/base/executor.hpp"
#include "src/base/worker.hpp"
#include "src/codec/receive_codec.hpp"
#include "src/codec/send_codec.hpp"
#include "src/config/settings.hpp"
#include "src/dispatch/dispatcher.hpp"
#include "src/dispatch/rack_status.hpp"
#include "src/dispatch/scaler.hpp"
#include "src/dispatch/self_sms.hpp"
#include "src/dispatch/self_sms_order.hpp"
#include "src/line/line_board.hpp"
#include "src/line/modem_line.hpp"
#include "src/line/sim_quota.hpp"
#include "src/notify/event_stream.hpp"
#include "src/overload/admission.hpp"
#include "src/stats/stats.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::host {

/// What the rack is made of and does not own; all outlive it.
using OpenPort = std::function<std::unique_ptr<serial::PipeSource>(const config::ModemSettings&)>;

using PowerOf = std::function<std::unique_ptr<ports::Power>(const config::ModemSettings&)>;

struct RackWorld {
    ports::Store& store;
    Executor& codec_pool;
    RackLinks& links;
    notify::EventStream& events;
    stats::Stats& stats;
    const Clock& clock;
    Random& random;
    const ErrorTable& errors;
    Log& log;
    OpenPort open_port;  ///< where a line's bytes come from: a serial port, or a model in tests
    PowerOf power_of;    ///< the power line of a modem; null where the board has none for it
    GuardedClock* guard = nullptr;  ///< the clock, where it may have to be waited for
    /// What is wrong with the box, as the host sees it; empty: nothing.
    std::function<std::vector<ports::Condition>()> box = {};
    ports::RackStore& rack_store;                ///< of the same store
    ports::ControlStore* control = nullptr;      ///< null: nothing is paused or cancelled
    const rules::QuietHours* quiet = nullptr;    ///< where there are any
    const ports::StoreHealth* health = nullptr;  ///< of the same store; null: it can always write
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
    /// start() starts no thread then, and the modems show this reason. To be called before start().
    void stay_down(const std::string& reason, const std::string& detail);
    /// Without start(): the caller that drives the rack itself steps these, the dispatcher first.
    [[nodiscard]] std::vector<Stepper*> steppers();
    /// The port of the modem with this place in the configuration may have come. Any thread.
    void port_changed(std::size_t line);
    /// Nothing more is given to a line; what is in flight continues.
    void stop_giving();
    [[nodiscard]] bool holds_nothing() const { return dispatcher_.in_hand() == 0; }
    // -- to leave it to the next run, in rack_hand_over.cpp
    using LineNames = std::set<std::string, std::less<>>;
    /// The lines of these names begin nothing more, or resume.
    void hold(const LineNames& names, bool held);
    /// Those that can't be left to another run yet. Empty: all can.
    [[nodiscard]] std::vector<std::string> unsettled(const LineNames& names,
                                                     line::ModemLine::Want want) const;
    [[nodiscard]] LineNames line_names() const;
    /// After stop(): what other threads have left for the lines is done. `decode`: until the codec has nothing left;
    /// `write`: until the store has written all.
    void settle(const std::function<void()>& decode, const std::function<void()>& write);
    /// After settle(): lines whose modems are set up. The rack's own descriptors are closed when it ends.
    [[nodiscard]] std::vector<LineHandOver> leave();
    /// After settle(), and when all that was asked for is answered.
    [[nodiscard]] RackLearned learned() const;
    /// Of the lines left to this run, those that were gone on with.
    [[nodiscard]] std::size_t adopted() const { return adopted_.size(); }

    /// Ends the threads; what is in a modem's hand stays open in the store. The codec pool ends after this.
    void stop();

    [[nodiscard]] const ports::RackView& view() const { return view_; }
    /// The door's watch, for intake.
    [[nodiscard]] overload::Admission& admission() { return admission_; }

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
    [[nodiscard]] Result<> add_lines(const config::Settings& settings);
    [[nodiscard]] bool adopt_modem(gsm::GsmModem& modem, const config::ModemSettings& settings);
    void adopt_lines();
    void adopt_wakes(const std::vector<WakeCarried>& wakes);
    [[nodiscard]] Result<> block_lines();
    [[nodiscard]] std::int64_t waiting_for_lines() const;
    [[nodiscard]] std::optional<ModemId> line_named(std::string_view name) const;
    [[nodiscard]] Result<> read_pauses();
    [[nodiscard]] Result<> read_self_sms();
    [[nodiscard]] Result<line::SimQuota*> add_quota(const config::ModemSettings& modem, ModemId id);

    RackWorld world_;
    line::LineBoard board_;
    dispatch::FlowMeter flow_;
    overload::Admission admission_;
    dispatch::PauseBoard pauses_;
    std::vector<std::pair<GroupId, std::string>> groups_;
    queue::OutSlots slots_;
    CondvarWaiter dispatch_waiter_;
    CondvarWaiter scaling_waiter_;
    dispatch::ScalingBoard scaling_board_;
    codec::SendCodec send_codec_;
    codec::ReceiveCodec receive_codec_;
    dispatch::Dispatcher dispatcher_;
    dispatch::RackStatusView view_;
    dispatch::Scaler scaler_;
    CondvarWaiter self_sms_waiter_;
    dispatch::SelfSms self_sms_;
    dispatch::SelfSmsOrder self_sms_order_;
    std::vector<std::unique_ptr<line::SimQuota>> quotas_;
    std::vector<std::unique_ptr<gsm::GsmModem>> modems_;
    std::vector<std::unique_ptr<line::ModemLine>> lines_;
    RackParts parts_;
    std::vector<std::unique_ptr<Worker>> line_workers_;
    Worker dispatch_worker_;
    std::vector<LineHandOver> left_;               // by an earlier run, while lines are made
    std::map<std::size_t, LineHandOver> adopted_;  // by line; without the port, which the modem has
    bool stays_down_ = false;
    Worker scaling_worker_;
    Worker self_sms_worker_;
};

}  // namespace smsrack::host
