#include "src/dispatch/scale/scaler.hpp"

#include "src/line/time_to_ready.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;
using ports::GateOrder;
using ports::LineView;

constexpr auto second_look = 250ms;  // the lines are counted again by then

/// "1,crash,early".
std::string text_of(const std::vector<scaling::Rule>& rules) {
    std::string text;
    for (const scaling::Rule rule : rules) {
        const std::string_view word = scaling::word_of(rule);
        text += text.empty() ? "" : ",";
        text += word.empty() ? fmt::to_string(static_cast<int>(rule)) : std::string(word);
    }
    return text;
}

/// In the order of Rule.
stats::Counter counter_of(scaling::Rule rule) {
    return static_cast<stats::Counter>(std::to_underlying(stats::Counter::scaling_out_flow) +
                                       std::to_underlying(rule) - 1);
}
static_assert(std::to_underlying(stats::Counter::scaling_no_reason) -
                  std::to_underlying(stats::Counter::scaling_out_flow) ==
              scaling::rule_count);

}  // namespace

Scaler::Scaler(ScalerSettings settings, ScalerWorld world)
    : settings_(settings),
      world_(std::move(world)),
      mailbox_(world_.waiter),
      rules_(settings.rules),
      policy_(scaling::make_policy(settings.policy, rules_)),
      production_({.period = settings.rules.period, .slow_after = settings.slow_after},
                  world_.clock) {}

void Scaler::adopt(const scaling::RateCarried& left) {
    learned_.adopt(left);
    if (settings_.learn_node_rate) {
        rules_.node_rate = learned_.rate();
    }
}

SteadyTime Scaler::step(SteadyTime now) {
    mailbox_.take_all(mail_);
    for (const Mail& mail : mail_) {
        std::visit([this](const auto& what) { on(what); }, mail);
    }
    mail_.clear();
    if (!sampled_at_) {
        next_sample_ = now;
    }
    if (now >= next_sample_) {
        take_sample(now);
        next_sample_ = std::max(next_sample_ + rules_.period, now + std::chrono::milliseconds(1));
    }
    if (now >= look_again_) {
        look_again_ = never;
        wake_needed();
    }
    return std::min(next_sample_, look_again_);
}

void Scaler::on(const History& hours) {
    if (!hours) {
        history_hour_ = 0;  // asked again with the next sample
        return;
    }
    history_.clear();
    for (const ports::HourTraffic& hour : *hours) {
        history_.push_back({hour.hour, static_cast<double>(hour.accepted)});
    }
}

/// A burst continues after its first call, and the door counts the lines again only now and then: so there is a second look.
void Scaler::on(const Called& /*called*/) {
    wake_needed();
    look_again_ = std::min(look_again_, world_.clock.steady() + second_look);
}

void Scaler::take_sample(SteadyTime now) {
    count_traffic();
    const bool first = !sampled_at_;
    const double seconds = first ? 0 : std::chrono::duration<double>(now - *sampled_at_).count();
    sampled_at_ = now;
    const std::uint64_t sent_before = sampled_.sent;
    load_ = flow(seconds);
    const Lines lines = lines_now();
    const Production::Counted counted = production_.look(lines, seconds);
    if (first || seconds <= 0) {
        show();
        return;
    }
    learn(static_cast<double>(sampled_.sent - sent_before), counted.busy);
    const bool decides = settings_.enabled && rules_.node_rate > 0;
    if (decides || settings_.forecasts) {
        ask_for_history();
    }
    if (decides) {
        needed_ = world_.admission.lines_needed();
        if (const auto decision = policy_->step(sample_of(counted), std::max(counted.lines, 1U))) {
            carry_out(*decision, lines);
        } else {
            stand_by(lines);
        }
    }
    show();
    wake_needed();
}

/// Messages a second since the last sample: what was sent, or what was asked for if that is more. What was refused for
/// overload was asked for.
double Scaler::flow(double seconds) {
    const FlowMeter::Totals totals = world_.flow.totals();
    const FlowMeter::Totals before = std::exchange(sampled_, totals);
    const std::uint64_t refused = world_.admission.refused();
    const std::uint64_t refused_before = std::exchange(refused_, refused);
    const std::uint64_t asked = totals.accepted - before.accepted + refused - refused_before;
    return seconds > 0 ? static_cast<double>(std::max(totals.sent - before.sent, asked)) / seconds
                       : 0;
}

/// What was counted since the last time goes to the hour that it is now.
void Scaler::count_traffic() {
    const FlowMeter::Totals totals = world_.flow.totals();
    const FlowMeter::Totals before = std::exchange(counted_, totals);
    if (totals.accepted != before.accepted || totals.sent != before.sent) {
        world_.rack_store.post(ports::CountTraffic{{.hour = ports::hour_of(world_.clock.wall()),
                                                    .accepted = totals.accepted - before.accepted,
                                                    .sent = totals.sent - before.sent}});
    }
}

/// Once an hour.
void Scaler::ask_for_history() {
    const std::int64_t hour = ports::hour_of(world_.clock.wall());
    if (std::exchange(history_hour_, hour) == hour) {
        return;
    }
    const std::int64_t first = std::min(scaling::first_hour_for(hour, settings_.calendar),
                                        scaling::first_hour_for(hour_ahead(), settings_.calendar));
    world_.rack_store.ask([first](ports::RackReader& reader) { return reader.traffic(first); },
                          [this](Result<std::vector<ports::HourTraffic>> traffic) {
                              mailbox_.push(std::move(traffic));
                          });
}

/// In which the next decision takes effect.
std::int64_t Scaler::hour_ahead() const {
    return ports::hour_of(world_.clock.wall() +
                          rules_.period * static_cast<std::int64_t>(rules_.samples));
}

/// For the hour in which the next decision takes effect; hours of this program's first day are none.
std::optional<double> Scaler::forecast() const {
    constexpr double hour_seconds = 3'600;
    const auto expected = scaling::expected_in(hour_ahead(), history_, settings_.calendar);
    return expected ? std::optional(*expected / hour_seconds) : std::nullopt;
}

void Scaler::learn(double sent, double busy_seconds) {
    if (settings_.learn_node_rate) {
        learned_.add(sent, busy_seconds);
        rules_.node_rate = learned_.rate();
    }
}

Scaler::Lines Scaler::lines_now() const {
    Lines lines = world_.board.lines();
    production_.note_orders(lines);
    return lines;
}

/// With the policy smsrack an empty store is no sign: where the modems keep up it is always empty.
scaling::Sample Scaler::sample_of(const Production::Counted& counted) const {
    const std::int64_t queued = world_.waiting();
    const double occupancy =
        std::clamp(static_cast<double>(queued) / static_cast<double>(settings_.capacity), 0.0, 1.0);
    scaling::Sample sample{
        .load = load_, .cpu = counted.cpu, .forecast = forecast(), .crashed = counted.crashed};
    if (settings_.policy == scaling::PolicyName::paper || occupancy > rules_.idle) {
        sample.occupancy = occupancy;
    }
    return sample;
}

void Scaler::gate(Lines& lines, std::size_t line, GateOrder order) {
    const bool in = order == GateOrder::unpark;
    lines[line].parked = !in;
    lines[line].manual = in ? ports::ManualState::open : ports::ManualState::blocked;
    production_.ordered(line, in);
    world_.gate(ModemId{static_cast<std::uint16_t>(line)}, order);
}

/// The others of its group are enough for the work ahead.
bool Scaler::may_park(const Lines& lines, const LineView& line) const {
    const auto need = std::ranges::find(needed_, line.group, &overload::LinesNeeded::group);
    return need == needed_.end() || production_.count(lines, line.group) > need->lines;
}

/// One line in most cases; several where more are open than n_max.
void Scaler::carry_out(const scaling::Decision& decision, Lines lines) {
    std::string names;
    const bool out = decision.y > decision.n;
    std::uint32_t reached = decision.n;
    for (; reached != decision.y; reached = out ? reached + 1 : reached - 1) {
        const auto chosen = out ? production_.to_unpark(lines)
                                : production_.to_park(lines, [&](const LineView& line) {
                                      return may_park(lines, line);
                                  });
        if (!chosen) {
            break;
        }
        names += (names.empty() ? "" : " ") + lines[*chosen].name;
        gate(lines, *chosen, out ? GateOrder::unpark : GateOrder::park);
    }
    wanted_ = decision.y;
    keep(decision, reached, names);
}

/// As many lines of each group as the work ahead needs, while n_max lets them in. To the policy they are, with the next
/// sample, as those that a person let in.
void Scaler::wake_needed() {
    if (!settings_.enabled) {
        return;
    }
    needed_ = world_.admission.lines_needed();
    Lines lines = lines_now();
    const auto before = static_cast<std::uint32_t>(production_.count(lines));
    std::uint32_t open = before;
    std::string names;
    for (const overload::LinesNeeded& need : needed_) {
        while (open < rules_.n_max && production_.count(lines, need.group) < need.lines) {
            const auto chosen = production_.to_wake(lines, need.group);
            if (!chosen) {
                break;
            }
            names += (names.empty() ? "" : " ") + lines[*chosen].name;
            gate(lines, *chosen, GateOrder::unpark);
            ++open;
        }
    }
    if (!names.empty()) {
        wanted_ = open;
        keep({.load = load_, .n = before, .x = 1, .y = open, .rules = {scaling::Rule::promise}},
             open, names);
        show();
    }
}

/// A line whose radio is off is switched on when it might be let in before it could be ready otherwise; the one that would be.
void Scaler::stand_by(const Lines& lines) const {
    if (!settings_.radio_off || production_.count(lines) >= rules_.n_max) {
        return;
    }
    const auto chosen = production_.to_unpark(lines);
    if (!chosen) {
        return;
    }
    const auto soonest = rules_.period * static_cast<std::int64_t>(policy_->soonest_out());
    const auto ready = std::chrono::ceil<std::chrono::milliseconds>(line::wakes_in(lines[*chosen]));
    if (soonest <= ready + rules_.period) {
        world_.stay_awake(ModemId{static_cast<std::uint16_t>(*chosen)}, ready + 2 * rules_.period);
    }
}

void Scaler::count(const scaling::Decision& decision) {
    for (const scaling::Rule rule : decision.rules) {
        world_.stats.add(counter_of(rule));
    }
    if (decision.rules.empty()) {
        world_.stats.add(stats::Counter::scaling_no_reason);
    }
}

void Scaler::keep(const scaling::Decision& decision, std::uint32_t reached,
                  const std::string& line) {
    count(decision);
    ports::KeptDecision kept{.at = world_.clock.wall(),
                             .n = decision.n,
                             .x = decision.x,
                             .y = reached,
                             .rules = text_of(decision.rules),
                             .words = scaling::words(decision, rules_),
                             .line = line,
                             .load = decision.load,
                             .node_rate = rules_.node_rate,
                             .forecast = forecast(),
                             .samples = static_cast<std::uint32_t>(decision.indicators.samples),
                             .crashed = decision.indicators.crashed};
    for (std::size_t rule = 1; rule < decision.indicators.counts.size(); ++rule) {
        kept.counts.at(rule - 1) = static_cast<std::uint32_t>(decision.indicators.counts.at(rule));
    }
    if (decision.y != decision.n) {
        kept.words += line.empty()              ? "; but no modem can be taken"
                      : decision.y > decision.n ? "; in: " + line
                                                : "; parked: " + line;
    }
    world_.log.info("scaling_decision",
                    {{"n", decision.n}, {"y", reached}, {"rules", kept.rules}, {"modem", line}});
    world_.rack_store.post(ports::KeepDecision{std::move(kept)});
}

/// What is of lines is looked at when it is shown.
void Scaler::show() {
    ports::ScalingView view{
        .enabled = settings_.enabled,
        .policy = std::string(scaling::policy_names.at(static_cast<std::size_t>(settings_.policy))),
        .y = wanted_,
        .n_min = rules_.n_min,
        .n_max = rules_.n_max,
        .load = load_,
        .forecast = forecast()};
    if (rules_.node_rate > 0) {
        view.node_rate = rules_.node_rate;
    }
    world_.shown.show(std::move(view));
}

}  // namespace smsrack::dispatch
