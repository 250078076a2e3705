/// The scaling controller at work: samples the rack each period, and parks and unparks lines as its
/// policy decides.
///
/// A parked line is given no message, but its radio stays on: answers and reports come in. Where it is switched off
/// (src/line/radio_rest), one line is switched on as long before it may be needed as it takes to get ready. Between two
/// samples, too, it lets in as many lines as the work ahead needs (overload::Admission), and parks none that it needs. It
/// also counts the traffic of each hour, controller or not, since the forecast is read from it.
/// Unit:    nodes are lines; flow in messages per second, those refused for overload included; F is learned where it is not
///          configured: what a line sent for each second that it had a message in flight.
/// Time:    steady for the samples, UTC for the hours.
/// Threads: step() on its own thread; what it asks of others is answered by mail.
/// Source:  [Elastic]; docs/decisions/0014-scaling-policy.md, 0036-parked-lines-are-capacity.md.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/mailbox.hpp"
#include "src/base/worker.hpp"
#include "src/dispatch/boards.hpp"
#include "src/dispatch/scale/flow_meter.hpp"
#include "src/dispatch/scale/production.hpp"
#include "src/line/line_board.hpp"
#include "src/overload/admission.hpp"
#include "src/ports/line_gate.hpp"
#include "src/ports/rack_store.hpp"
#include "src/scaling/forecast.hpp"
#include "src/scaling/learned_rate.hpp"
#include "src/scaling/policy.hpp"
#include "src/stats/stats.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace smsrack::dispatch {

struct ScalerSettings {
    bool enabled = false;
    scaling::PolicyName policy = scaling::PolicyName::smsrack;
    scaling::ScalingRules rules = {};  ///< node_rate is not read where it is learned
    bool learn_node_rate = true;
    std::int64_t capacity = 1'000'000;  ///< messages that the store may hold
    bool forecasts = false;             ///< it shows a forecast, although it is not enabled
    bool radio_off = false;             ///< parked lines may have to be woken
    scaling::Calendar calendar = {};    ///< holidays that move
    /// submit_slow_s, the longest of all modems
    std::chrono::nanoseconds slow_after = std::chrono::nanoseconds::max();
};

/// All outlive the Scaler.
struct ScalerWorld {
    const line::LineBoard& board;
    const FlowMeter& flow;
    overload::Admission& admission;
    std::function<std::int64_t()> waiting;  ///< messages that wait for a line, and for no person
    ports::RackStore& rack_store;
    std::function<void(ModemId, ports::GateOrder)> gate;                 ///< hands over
    std::function<void(ModemId, std::chrono::milliseconds)> stay_awake;  ///< hands over
    ScalingBoard& shown;
    stats::Stats& stats;
    Waiter& waiter;
    const Clock& clock;
    Log& log;
};

class Scaler final : public Stepper {
public:
    Scaler(ScalerSettings settings, ScalerWorld world);

    SteadyTime step(SteadyTime now) override;

    /// A group may need more lines than are open. Any thread.
    void call_lines() { mailbox_.push(Called{}); }

    // -- from one run of the service to the next, while no thread runs
    [[nodiscard]] scaling::RateCarried carried() const { return learned_.carried(); }
    void adopt(const scaling::RateCarried& left);

private:
    using History = Result<std::vector<ports::HourTraffic>>;
    struct Called {};
    using Mail = std::variant<History, Called>;
    using Lines = Production::Lines;

    void on(const History& hours);
    void on(const Called& called);
    void take_sample(SteadyTime now);
    [[nodiscard]] double flow(double seconds);
    void count_traffic();
    void ask_for_history();
    void learn(double sent, double busy_seconds);
    [[nodiscard]] Lines lines_now() const;
    [[nodiscard]] scaling::Sample sample_of(const Production::Counted& counted) const;
    [[nodiscard]] std::int64_t hour_ahead() const;
    [[nodiscard]] std::optional<double> forecast() const;
    void gate(Lines& lines, std::size_t line, ports::GateOrder order);
    [[nodiscard]] bool may_park(const Lines& lines, const ports::LineView& line) const;
    void carry_out(const scaling::Decision& decision, Lines lines);
    void wake_needed();
    void stand_by(const Lines& lines) const;
    void count(const scaling::Decision& decision);
    void keep(const scaling::Decision& decision, std::uint32_t reached, const std::string& line);
    void show();

    const ScalerSettings settings_;
    ScalerWorld world_;
    Mailbox<Mail> mailbox_;
    std::vector<Mail> mail_;
    scaling::ScalingRules rules_;  // node_rate follows what is learned
    const std::unique_ptr<scaling::Policy> policy_;
    Production production_;
    scaling::LearnedRate learned_;
    std::vector<overload::LinesNeeded> needed_;  // when they were looked at last
    std::optional<SteadyTime> sampled_at_ = {};
    SteadyTime next_sample_ = {};
    SteadyTime look_again_ = never;   // behind a call
    FlowMeter::Totals counted_ = {};  // in the store
    FlowMeter::Totals sampled_ = {};  // in samples
    std::uint64_t refused_ = 0;       // the same
    double load_ = 0;                 // of the last sample
    std::vector<scaling::HourCount> history_;
    std::int64_t history_hour_ = 0;  // for which it was asked
    std::uint32_t wanted_ = 0;
};

}  // namespace smsrack::dispatch
