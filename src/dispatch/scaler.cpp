#include "src/dispatch/scaler.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;
using ports::GateOrder;
using ports::LineView;

constexpr double forget = 0.99;  // of what was learned, with each sample: the last hour counts
constexpr double learned_enough = 20;  // messages, before a rate is taken for true
constexpr double rate_least = 1e-4;    // a line that sends less than one in three hours

/// So long a line that was not woken yet is expected to take, and so much longer than the last time it may.
constexpr auto ready_first = 30s;
constexpr int ready_slack = 3;

std::chrono::nanoseconds ready_in(const LineView& line) {
    return line.woke_in.value_or(ready_first);
}

/// One that was let in and whose radio is being switched on counts, unless that takes too long.
bool is_up(const LineView& line, SteadyTime now) {
    const bool waking =
        line.waking_since && now < *line.waking_since + ready_slack * ready_in(line);
    return line.manual == ports::ManualState::open &&
           (line.link == ports::LinkState::active || waking);
}

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

}  // namespace

Scaler::Scaler(ScalerSettings settings, ScalerWorld world)
    : settings_(settings),
      world_(std::move(world)),
      mailbox_(world_.waiter),
      rules_(settings.rules),
      policy_(scaling::make_policy(settings.policy, rules_)) {}

SteadyTime Scaler::step(SteadyTime now) {
    mailbox_.take_all(mail_);
    for (History& hours : mail_) {
        if (!hours) {
            history_hour_ = 0;  // asked again with the next sample
            continue;
        }
        history_.clear();
        for (const ports::HourTraffic& hour : *hours) {
            history_.push_back({hour.hour, static_cast<double>(hour.accepted)});
        }
    }
    mail_.clear();
    if (!sampled_at_) {
        next_sample_ = now;
    }
    if (now >= next_sample_) {
        take_sample(now);
        next_sample_ = std::max(next_sample_ + rules_.period, now + std::chrono::milliseconds(1));
    }
    return next_sample_;
}

void Scaler::take_sample(SteadyTime now) {
    count_traffic();
    const bool first = !sampled_at_;
    const double seconds = first ? 0 : std::chrono::duration<double>(now - *sampled_at_).count();
    sampled_at_ = now;
    const FlowMeter::Totals totals = world_.flow.totals();
    const FlowMeter::Totals before = std::exchange(sampled_, totals);
    const std::vector<LineView> lines = world_.board.lines();
    const Counted counted = look(lines, seconds, now);
    if (first || seconds <= 0) {
        show(lines, counted, 0);
        return;
    }
    const auto sent = static_cast<double>(totals.sent - before.sent);
    const auto accepted = static_cast<double>(totals.accepted - before.accepted);
    learn(sent, counted.busy);
    const double load = std::max(sent, accepted) / seconds;
    if (settings_.enabled && rules_.node_rate > 0) {
        ask_for_history();
        const auto nodes = static_cast<std::uint32_t>(counted.lines.size());
        if (const auto decision = policy_->step(sample_of(counted, load), std::max(nodes, 1U))) {
            carry_out(*decision, lines);
        } else {
            stand_by(lines);
        }
    }
    show(lines, counted, load);
}

/// What was counted since the last time goes to the hour that it is now.
void Scaler::count_traffic() {
    const FlowMeter::Totals totals = world_.flow.totals();
    const FlowMeter::Totals before = std::exchange(counted_, totals);
    if (totals.accepted != before.accepted || totals.sent != before.sent) {
        world_.rack_store.count_traffic({.hour = ports::hour_of(world_.clock.wall()),
                                         .accepted = totals.accepted - before.accepted,
                                         .sent = totals.sent - before.sent});
    }
}

/// Once an hour.
void Scaler::ask_for_history() {
    const std::int64_t hour = ports::hour_of(world_.clock.wall());
    if (std::exchange(history_hour_, hour) == hour) {
        return;
    }
    world_.rack_store.read_rack(
        [this, first = scaling::first_hour_for(hour)](ports::RackReader& reader) {
            mailbox_.push(reader.traffic(first));
        });
}

/// For the hour in which the next decision takes effect; hours of this program's first day are none.
std::optional<double> Scaler::forecast() const {
    constexpr double hour_seconds = 3'600;
    const WallTime then =
        world_.clock.wall() + rules_.period * static_cast<std::int64_t>(rules_.samples);
    const auto expected = scaling::expected_in(ports::hour_of(then), history_);
    return expected ? std::optional(*expected / hour_seconds) : std::nullopt;
}

void Scaler::learn(double sent, double busy_seconds) {
    if (!settings_.learn_node_rate) {
        return;
    }
    learned_messages_ = learned_messages_ * forget + sent;
    learned_seconds_ = learned_seconds_ * forget + busy_seconds;
    const bool enough = learned_messages_ >= learned_enough && learned_seconds_ > 0;
    if (enough) {
        rules_.node_rate = std::max(rate_least, learned_messages_ / learned_seconds_);
    } else if (sampled_.sent < static_cast<std::uint64_t>(learned_enough)) {
        rules_.node_rate = 0;
    }
}

/// One that rests for longer than until the next sample (its quota is spent, the network refuses) is as good as crashed, and so is one whose
/// modem does not answer a submit: what it can't take now would wait beside parked lines until it is given up.
bool Scaler::in_production(const LineView& line) const {
    const bool rests = line.pause && (!line.pause->until ||
                                      *line.pause->until - world_.clock.wall() > rules_.period);
    const bool stuck = line.busy_since && *sampled_at_ - *line.busy_since > settings_.slow_after;
    return is_up(line, *sampled_at_) && !rests && !stuck;
}

Scaler::Counted Scaler::look(const std::vector<LineView>& lines, double seconds, SteadyTime now) {
    Counted counted;
    seen_.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const LineView& line = lines[i];
        Seen& seen = seen_[i];
        auto busy = line.busy_time;
        if (line.busy_since && now > *line.busy_since) {
            busy += now - *line.busy_since;
        }
        const double worked =
            std::chrono::duration<double>(busy - std::exchange(seen.busy, busy)).count();
        counted.busy += std::max(worked, 0.0);
        seen.share = seconds > 0 ? std::clamp(worked / seconds, 0.0, 1.0) : 0;
        const bool up = in_production(line);
        if (up) {
            counted.lines.push_back(i);
        }
        const bool was_up = std::exchange(seen.up, up);
        const bool lost = was_up && !up && line.manual == ports::ManualState::open;
        counted.crashed += lost ? 1 : 0;
    }
    return counted;
}

/// With the policy smsrack an empty store says nothing: where the modems keep up it is always empty.
scaling::Sample Scaler::sample_of(const Counted& counted, double load) const {
    const double busy =
        std::accumulate(counted.lines.begin(), counted.lines.end(), 0.0,
                        [this](double sum, std::size_t line) { return sum + seen_[line].share; });
    const std::int64_t queued = world_.waiting();
    const double occupancy =
        std::clamp(static_cast<double>(queued) / static_cast<double>(settings_.capacity), 0.0, 1.0);
    scaling::Sample sample{
        .load = load,
        .cpu = counted.lines.empty() ? 0 : busy / static_cast<double>(counted.lines.size()),
        .forecast = forecast(),
        .crashed = counted.crashed};
    if (settings_.policy == scaling::PolicyName::paper || occupancy > rules_.idle) {
        sample.occupancy = occupancy;
    }
    return sample;
}

/// One line in most cases; several where more are open than n_max.
void Scaler::carry_out(const scaling::Decision& decision, std::vector<LineView> lines) {
    std::string names;
    const bool out = decision.y > decision.n;
    std::uint32_t reached = decision.n;
    for (; reached != decision.y; reached = out ? reached + 1 : reached - 1) {
        const auto chosen = out ? to_unpark(lines) : to_park(lines);
        if (!chosen) {
            break;
        }
        LineView& line = lines[*chosen];
        line.parked = !out;
        line.manual = out ? ports::ManualState::open : ports::ManualState::blocked;
        names += (names.empty() ? "" : " ") + line.name;
        world_.gate(ModemId{static_cast<std::uint16_t>(*chosen)},
                    out ? GateOrder::unpark : GateOrder::park);
    }
    wanted_ = decision.y;
    keep(decision, reached, names);
}

/// The one with the least work; never the last of its group, whose messages would wait for ever.
std::optional<std::size_t> Scaler::to_park(const std::vector<LineView>& lines) const {
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto of_group = [&](const LineView& other) {
            return other.group == lines[i].group && in_production(other);
        };
        if (!in_production(lines[i]) || std::ranges::count_if(lines, of_group) < 2) {
            continue;
        }
        if (!chosen || seen_[i].share <= seen_[*chosen].share) {
            chosen = i;
        }
    }
    return chosen;
}

/// Of the group whose lines have most to do; one that is registered rather than one that is not.
std::optional<std::size_t> Scaler::to_unpark(const std::vector<LineView>& lines) const {
    const auto need = [&](std::size_t line) {
        double busy = 0;
        double open = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].group == lines[line].group && in_production(lines[i])) {
                busy += seen_[i].share;
                ++open;
            }
        }
        const double registered = lines[line].link == ports::LinkState::active ? 2 : 0;
        const double rests = lines[line].pause ? 4 : 0;  // rather than none
        return registered - rests + (open > 0 ? busy / open : 1.5);
    };
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].parked && (!chosen || need(i) > need(*chosen))) {
            chosen = i;
        }
    }
    return chosen;
}

/// A line whose radio is off is switched on when it might be let in before it could be ready otherwise; the one that would be.
void Scaler::stand_by(const std::vector<LineView>& lines) const {
    const auto open =
        std::ranges::count_if(lines, [&](const LineView& line) { return in_production(line); });
    if (!settings_.radio_off || std::cmp_greater_equal(open, rules_.n_max)) {
        return;
    }
    const auto chosen = to_unpark(lines);
    if (!chosen) {
        return;
    }
    const auto soonest = rules_.period * static_cast<std::int64_t>(policy_->soonest_out());
    const auto ready = std::chrono::ceil<std::chrono::milliseconds>(ready_in(lines[*chosen]));
    if (soonest <= ready + rules_.period) {
        world_.stay_awake(ModemId{static_cast<std::uint16_t>(*chosen)}, ready + 2 * rules_.period);
    }
}

void Scaler::keep(const scaling::Decision& decision, std::uint32_t reached,
                  const std::string& line) {
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
        kept.words += line.empty()              ? "; but no line can be taken"
                      : decision.y > decision.n ? "; in: " + line
                                                : "; parked: " + line;
    }
    world_.log.info("scaling_decision",
                    {{"n", decision.n}, {"y", reached}, {"rules", kept.rules}, {"modem", line}});
    world_.rack_store.keep_decision(std::move(kept));
}

void Scaler::show(const std::vector<LineView>& lines, const Counted& counted, double load) {
    ports::ScalingView view{
        .enabled = settings_.enabled,
        .policy = std::string(scaling::policy_names.at(static_cast<std::size_t>(settings_.policy))),
        .n = static_cast<std::uint32_t>(counted.lines.size()),
        .y = wanted_,
        .n_min = rules_.n_min,
        .n_max = rules_.n_max,
        .load = load,
        .forecast = forecast()};
    if (rules_.node_rate > 0) {
        view.node_rate = rules_.node_rate;
    }
    for (const LineView& line : lines) {
        if (line.parked) {
            view.parked.push_back(line.name);
        }
    }
    world_.shown.show(std::move(view));
}

}  // namespace smsrack::dispatch
