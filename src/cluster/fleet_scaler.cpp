#include "src/cluster/fleet_scaler.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::cluster {
namespace {

using namespace std::chrono_literals;
using ports::BoxLife;
using ports::PowerOrder;

// Between two looks through the attempts.
constexpr auto ties_every = 5s;
// What is in flight ends within two minutes, and most reports come in seconds.
constexpr auto drains_within = 600s;

/// What would be lost or late if this box were switched off now.
std::int64_t own_of(const ports::FleetCounts& counts) {
    const auto at = [&](FleetStage stage) {
        return counts.stages.at(static_cast<std::size_t>(stage));
    };
    return counts.kept_here + counts.own_rules + at(FleetStage::here) + at(FleetStage::held) +
           at(FleetStage::firm) + at(FleetStage::ended);
}

}  // namespace

FleetScaler::FleetScaler(const FleetWorld& world, SeatKeeper& seat, const FleetScaling& settings,
                         ScalerSide side)
    : Task(world, seat),
      settings_(settings),
      side_(std::move(side)),
      rules_(settings.rules),
      policy_(scaling::make_policy(settings.policy, rules_)),
      picture_(world, seat),
      errand_(world, picture_, side_.power, [this] { wake(); }) {
    shown_.enabled = settings_.enabled;
}

SteadyTime FleetScaler::step(SteadyTime now) {
    if (!settings_.enabled) {
        return never;
    }
    if (now >= next_) {
        next_ = next_ == SteadyTime{} ? now + rules_.period
                                      : std::max(next_ + rules_.period, now + 1ms);
        is_due_ = true;
        wake();
    }
    return next_;
}

/// Of a decision whose answer was lost, once a beat has told what came of it. True: the round continues, or ends here.
bool FleetScaler::look_at_asked() {
    const ports::FleetDecision& newest = picture_.decision();
    const bool is_newest =
        newest.by == of_.box && newest.box == asked_->box && newest.number == asked_->after + 1;
    if (is_newest && (!seat_.own_row() || picture_.may_precede())) {
        end();
        return true;
    }
    Plan plan = *std::exchange(asked_, {});
    const BoxNode* const box = picture_.node_of(plan.box);
    // A person may have decided otherwise since.
    const bool holds = is_newest && box != nullptr && box->row.life == plan.to;
    return holds && kept(newest.number, std::move(plan));
}

/// Between two samples only while a box drains or comes.
void FleetScaler::begin() {
    const auto own = seat_.own_row();
    const bool is_leaving = own && own->life != BoxLife::running;
    if (!settings_.enabled ||
        (!is_due_ && !errand_.open() && !asked_ && picture_.draining() == nullptr && !is_leaving)) {
        return end();
    }
    of_ = *seat_.seat();
    if (std::exchange(returns_, seat_.returns()) != seat_.returns()) {
        forget();  // it is another engine, or an older state of it
    }
    world_.look([](ports::FleetReader& reader) { return reader.counts(); },
                [this](const Result<ports::FleetCounts>& counts) {
                    if (!counts) {
                        return end();
                    }
                    ask_ties(own_of(*counts));
                });
}

void FleetScaler::forget() {
    picture_.forget();
    asked_.reset();
    policy_ = scaling::make_policy(settings_.policy, rules_);
}

void FleetScaler::ask_ties(std::int64_t own) {
    const SteadyTime now = world_.clock.steady();
    // One that drains may go at any moment.
    if (now < ask_ties_at_ && seat_.takes_work()) {
        return share(own);
    }
    ask_ties_at_ = now + ties_every;
    const WallTime wall = world_.clock.wall();
    ports::TiesQuestion question{.now = wall, .settled = settled_};
    if (settings_.sticky.count() > 0) {
        question.sticky_since = wall - settings_.sticky;
        question.iccids = side_.iccids();
    }
    world_.look([question](ports::FleetReader& reader) { return reader.ties(question); },
                [this, own](const Result<ports::BoxTies>& ties) {
                    if (ties) {
                        settled_ = ties->settled;
                        stays_ = ties->sticky                               ? "sticky"
                                 : ties->reports && !settings_.park_awaited ? "reports"
                                                                            : "";
                    }
                    share(own);
                });
}

void FleetScaler::share(std::int64_t own) {
    BoxWork work = side_.work();
    work.own += own;
    if (!stays_.empty()) {
        work.stays = stays_;
    }
    work.seen = picture_.seen().value_or(0);
    world_.ask(world_.engine, ports::ShareLoad{.seat = of_, .form = form_of(work)},
               [this](const Result<ports::FleetLoad>& load) {
                   if (!load) {
                       return give_up(of_, load.error());
                   }
                   heard(*load);
               });
}

void FleetScaler::heard(const ports::FleetLoad& load) {
    note(load.decision);
    see(load);
    if (asked_ && look_at_asked()) {
        return;
    }
    const bool due = std::exchange(is_due_, false);
    if (tend() || (due && sample())) {
        return;  // the round continues with a decision
    }
    end();
}

/// Who decides begins a new window; so does each box that hears of it, since what it has counted was before it.
void FleetScaler::note(const ports::FleetDecision& decision) {
    if (picture_.seen() == decision.number) {
        return;
    }
    const bool is_ended = decision.box == BoxNumber{};  // by a person's word
    if (errand_.open() && is_ended && errand_.open()->box == picture_.decision().box) {
        errand_.take();
    }
    if (picture_.seen() && (decision.by != of_.box || is_ended)) {
        policy_ = scaling::make_policy(settings_.policy, rules_);
    }
    picture_.note(decision);
}

void FleetScaler::see(const ports::FleetLoad& load) {
    watches_since_ = watches_since_.value_or(world_.clock.steady());
    picture_.see(load.boxes, of_.box, settings_.wake_within, errand_.failed());
    rules_.n_max = std::min(settings_.rules.n_max, picture_.known());
    rules_.n_max = std::max(rules_.n_max, rules_.n_min);
    errand_.look_at_trouble();
    shown_.trouble = errand_.trouble();
}

/// After a start all boxes seem to beat, until a lease is over.
bool FleetScaler::may_decide() const {
    return seat_.takes_work() && errand_.can_order() && watches_since_ &&
           world_.clock.steady() - *watches_since_ >= world_.settings.lease;
}

/// Continues what was decided. True: the round continues.
bool FleetScaler::tend() {
    return errand_.open() ? tend_errand() : tend_drain();
}

bool FleetScaler::tend_errand() {
    const PowerErrand::Order& open = *errand_.open();
    if (!open.how) {
        return false;
    }
    if (open.what == PowerOrder::park) {
        if (!*open.how) {
            fail_errand(
                fmt::format("{} could not be parked: {}", open.name, open.how->error().context));
        }
        errand_.take();
        return false;
    }
    const BoxNode* const box = picture_.node_of(open.box);
    if (box == nullptr || box->row.life != BoxLife::running) {
        errand_.take();  // a person has decided otherwise
        return false;
    }
    if (box->row.beats > open.beats) {
        errand_.forgive(open.box);
        errand_.take();
        return false;
    }
    if (!*open.how && box->beats) {
        return false;  // it may be up, whatever the program says: its next beat tells, or their absence
    }
    if (!*open.how) {
        fail_errand(fmt::format("{} could not be woken: {}", open.name, open.how->error().context));
        decide({.box = open.box,
                .name = open.name,
                .from = BoxLife::running,
                .to = BoxLife::parked,
                .form = {.words = open.name + " stays parked: it could not be woken"}});
        return true;
    }
    if (world_.clock.steady() - open.since < settings_.wake_within) {
        return false;
    }
    fail_errand(fmt::format("{} was woken and has not come within {} s", open.name,
                            settings_.wake_within.count()));
    return instead_of(*errand_.take());
}

void FleetScaler::fail_errand(std::string words) {
    errand_.fail(words);
    shown_.trouble = words;
    side_.told(std::move(words));
}

/// True: another box is woken.
bool FleetScaler::instead_of(const PowerErrand::Order& failed) {
    return may_decide() && wake_one("instead of " + failed.name, false);
}

/// Parks the box that was decided about, once it has nothing left. Where the box that decided is silent, or too long about
/// it, another one does. True: the round continues.
bool FleetScaler::tend_drain() {
    const BoxNode* const box = picture_.draining();
    if (box == nullptr || box->is_self) {
        return false;
    }
    const bool is_late = picture_.since_seen() >= drains_within;
    const BoxNumber decider = picture_.decision().by;
    const BoxNode* const by = picture_.node_of(decider);
    const bool is_mine = is_late || decider == of_.box || by == nullptr || !by->beats ||
                         by->row.life != BoxLife::running;
    if (is_mine && may_decide() && picture_.is_drained(*box)) {
        decide({.box = box->row.box,
                .name = box->row.name,
                .from = BoxLife::draining,
                .to = BoxLife::parked,
                .form = {.words = box->row.name + " has nothing left and is parked"},
                .then = PowerOrder::park});
        return true;
    }
    if (!is_late) {
        return false;
    }
    // One that does not get ready to go is needed rather than idle. That needs no program.
    decide({.box = box->row.box,
            .name = box->row.name,
            .from = BoxLife::draining,
            .to = BoxLife::running,
            .form = {.words = fmt::format("{} could not be parked within {} s and resumes",
                                          box->row.name, drains_within.count())}});
    return true;
}

std::string FleetScaler::why_it_stays(BoxNumber box) const {
    const BoxNode* const node = picture_.node_of(box);
    return node == nullptr ? std::string()
                           : std::string(cluster::why_it_stays(*node, picture_.boxes()));
}

/// True: the round continues with a decision.
bool FleetScaler::sample() {
    const auto counted = production_.look(picture_.boxes());
    if (settings_.learn_node_rate) {
        rules_.node_rate = counted.box_rate > 0 ? counted.box_rate : shown_.node_rate.value_or(0);
    }
    show(counted);
    if (rules_.node_rate <= 0) {
        return false;
    }
    const auto decision = policy_->step(sample_of(counted), std::max(counted.boxes, 1U));
    return decision && !errand_.open() && may_decide() && carry_out(*decision);
}

/// With the policy smsrack an empty store is no sign, as for modems.
scaling::Sample FleetScaler::sample_of(const BoxProduction::Counted& counted) const {
    std::int64_t queued = seat_.fleet().waiting;
    for (const BoxNode& box : picture_.boxes()) {
        queued += box.row.held + box.row.firm;
    }
    const double room = static_cast<double>(settings_.capacity) * std::max(counted.boxes, 1U);
    const double occupancy = std::clamp(static_cast<double>(queued) / room, 0.0, 1.0);
    scaling::Sample sample{.load = counted.load,
                           .cpu = counted.cpu,
                           .forecast = counted.forecast,
                           .crashed = counted.crashed};
    if (settings_.policy == scaling::PolicyName::paper || occupancy > rules_.idle) {
        sample.occupancy = occupancy;
    }
    return sample;
}

/// One box at a time; where more are to go or to come, the next samples say so again.
bool FleetScaler::carry_out(const scaling::Decision& decision) {
    if (decision.y == decision.n) {
        return false;
    }
    const std::string why = scaling::words(decision, rules_);
    if (decision.y > decision.n) {
        return wake_one(why, true);
    }
    const bool is_under_way = picture_.draining() != nullptr || picture_.one_comes();
    const BoxNode* const box = is_under_way ? nullptr : to_park(picture_.boxes());
    if (box == nullptr) {
        return false;
    }
    decide({.box = box->row.box,
            .name = box->row.name,
            .from = BoxLife::running,
            .to = BoxLife::draining,
            .form = {.words = fmt::format("{}; drained: {}", why, box->row.name)}});
    return true;
}

/// One that drains by a decision resumes; otherwise a parked one is woken. `again`: also one that could not be woken before.
bool FleetScaler::wake_one(const std::string& why, bool again) {
    if (const BoxNode* const drains = picture_.draining()) {
        decide({.box = drains->row.box,
                .name = drains->row.name,
                .from = BoxLife::draining,
                .to = BoxLife::running,
                .form = {.words = fmt::format("{}; resumed: {}", why, drains->row.name)}});
        return true;
    }
    const BoxNode* const box = to_wake(picture_.boxes(), errand_.failed());
    if (box == nullptr || (!again && errand_.failed().contains(box->row.box))) {
        return false;
    }
    errand_.forgive(box->row.box);
    decide({.box = box->row.box,
            .name = box->row.name,
            .from = BoxLife::parked,
            .to = BoxLife::running,
            .form = {.words = fmt::format("{}; woken: {}", why, box->row.name), .wakes = true},
            .then = PowerOrder::wake});
    return true;
}

/// The round ends with its answer. Where that is lost, the next round reads whether it was kept.
void FleetScaler::decide(Plan plan) {
    plan.after = picture_.seen().value_or(0);
    ports::DecideLife command{.seat = of_,
                              .after = plan.after,
                              .box = plan.box,
                              .from = plan.from,
                              .to = plan.to,
                              .form = form_of(plan.form)};
    asked_ = std::move(plan);
    world_.ask(world_.engine, std::move(command), [this](const Result<std::int64_t>& number) {
        if (!number) {
            if (number.error().code != Errc::outcome_unknown) {
                asked_.reset();  // another decision was first: the next round reads it
            }
            return give_up(of_, number.error());
        }
        auto kept_plan = std::exchange(asked_, {});
        if (!kept_plan || !kept(*number, *std::move(kept_plan))) {
            end();
        }
    });
}

/// True: the round continues with another decision.
bool FleetScaler::kept(std::int64_t number, Plan plan) {
    note({.number = number,
          .by = of_.box,
          .box = plan.box,
          .life = plan.to,
          .form = form_of(plan.form)});
    picture_.set_life(plan.box, plan.to);
    side_.told(plan.form.words);
    const auto failed = errand_.take();
    if (plan.then) {
        errand_.give(*plan.then, plan.box, std::move(plan.name));
    }
    // The errand that failed was to wake it: its box is parked again, and another one is tried.
    return failed && plan.to == BoxLife::parked && !plan.then && instead_of(*failed);
}

void FleetScaler::show(const BoxProduction::Counted& counted) {
    const ports::FleetDecision& newest = picture_.decision();
    const BoxNode* const by = picture_.node_of(newest.by);
    shown_.can_order = errand_.can_order();
    shown_.nodes = counted.boxes;
    shown_.n_min = rules_.n_min;
    shown_.n_max = rules_.n_max;
    shown_.load = counted.load;
    shown_.forecast = counted.forecast;
    shown_.decisions = newest.number;
    shown_.decision = picture_.decided().words;
    shown_.decided_by = by == nullptr ? std::string() : by->row.name;
    if (rules_.node_rate > 0) {
        shown_.node_rate = rules_.node_rate;
    }
}

}  // namespace smsrack::cluster
