/// The scaling controller at work: samples the rack each period, and parks and unparks lines as its
/// policy decides.
///
/// A parked line is given no message, but its radio stays on: answers and reports come in. Where it is switched off
/// (src/line/radio_rest), one line is switched on as long before it may be needed as it takes to get ready. It also
/// counts the traffic of each hour, controller or not, since the forecast is read from it.
/// Unit:    nodes are lines; flow in messages per second; F is learned where it is not configured: what
///          a line sent for each second that it had a message in hand.
/// Time:    steady for the samples, UTC for the hours.
/// Threads: step() on its own thread; what it asks of others is answered by mail.
/// Source:  [Elastic].
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/mailbox.hpp"
#include "src/base/worker.hpp"
#include "src/dispatch/flow_meter.hpp"
#include "src/dispatch/scaling_board.hpp"
#include "src/line/line_board.hpp"
#include "src/ports/line_gate.hpp"
#include "src/ports/rack_store.hpp"
#include "src/scaling/forecast.hpp"
#include "src/scaling/policy.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::dispatch {

struct ScalerSettings {
    bool enabled = false;
    scaling::PolicyName policy = scaling::PolicyName::smsrack;
    scaling::ScalingRules rules = {};  ///< node_rate is not read where it is learned
    bool learn_node_rate = true;
    std::int64_t capacity = 1'000'000;  ///< messages that the store may hold
    bool radio_off = false;             ///< parked lines may have to be woken
    std::chrono::nanoseconds slow_after =
        std::chrono::nanoseconds::max();  ///< submit_slow_s, the longest of all modems
};

/// All outlive the Scaler.
struct ScalerWorld {
    const line::LineBoard& board;
    const FlowMeter& flow;
    std::function<std::int64_t()> waiting;  ///< messages that wait for a line, and for no person
    ports::RackStore& rack_store;
    std::function<void(ModemId, ports::GateOrder)> gate;                 ///< hands over
    std::function<void(ModemId, std::chrono::milliseconds)> stay_awake;  ///< hands over
    ScalingBoard& shown;
    Waiter& waiter;
    const Clock& clock;
    Log& log;
};

class Scaler final : public Stepper {
public:
    Scaler(ScalerSettings settings, ScalerWorld world);

    SteadyTime step(SteadyTime now) override;

private:
    struct Seen {
        std::chrono::nanoseconds busy{0};  // up to the last sample
        double share = 0;                  // of the last period that it was busy, 0..1
        bool up = false;                   // it was in production in the last sample
    };
    struct Counted {
        std::vector<std::size_t> lines;  // in production
        std::uint32_t crashed = 0;       // that were in it in the last sample, and are not
        double busy = 0;                 // seconds, of all lines together
    };
    using History = Result<std::vector<ports::HourTraffic>>;

    void take_sample(SteadyTime now);
    [[nodiscard]] bool in_production(const ports::LineView& line) const;
    void count_traffic();
    void ask_for_history();
    void learn(double sent, double busy_seconds);
    [[nodiscard]] Counted look(const std::vector<ports::LineView>& lines, double seconds,
                               SteadyTime now);
    [[nodiscard]] scaling::Sample sample_of(const Counted& counted, double load) const;
    [[nodiscard]] std::optional<double> forecast() const;
    void carry_out(const scaling::Decision& decision, std::vector<ports::LineView> lines);
    [[nodiscard]] std::optional<std::size_t> to_park(
        const std::vector<ports::LineView>& lines) const;
    [[nodiscard]] std::optional<std::size_t> to_unpark(
        const std::vector<ports::LineView>& lines) const;
    void stand_by(const std::vector<ports::LineView>& lines) const;
    void keep(const scaling::Decision& decision, std::uint32_t reached, const std::string& line);
    void show(const std::vector<ports::LineView>& lines, const Counted& counted, double load);

    const ScalerSettings settings_;
    ScalerWorld world_;
    Mailbox<History> mailbox_;
    std::vector<History> mail_;
    scaling::ScalingRules rules_;  // node_rate follows what is learned
    const std::unique_ptr<scaling::Policy> policy_;
    std::vector<Seen> seen_;
    std::optional<SteadyTime> sampled_at_ = {};
    SteadyTime next_sample_ = {};
    FlowMeter::Totals counted_ = {};  // in the store
    FlowMeter::Totals sampled_ = {};  // in samples
    double learned_messages_ = 0;     // of late: older ones weigh less
    double learned_seconds_ = 0;
    std::vector<scaling::HourCount> history_;
    std::int64_t history_hour_ = 0;  // for which it was asked
    std::uint32_t wanted_ = 0;
};

}  // namespace smsrack::dispatch
