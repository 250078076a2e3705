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

bool may_come_back(BoxLife life) {
    return life == BoxLife::running || life == BoxLife::draining || life == BoxLife::parked;
}

}  // namespace

FleetScaler::FleetScaler(const FleetWorld& world, SeatKeeper& seat, const FleetScaling& settings,
                         ScalerSide side)
    : Task(world, seat),
      settings_(settings),
      side_(std::move(side)),
      rules_(settings.rules),
      policy_(scaling::make_policy(settings.policy, rules_)) {
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
    const auto own = seat_.own_row();
    const bool is_newest = decision_.by == of_.box && decision_.box == asked_->box &&
                           decision_.number == asked_->after + 1;
    if (is_newest && (!own || own->beats <= known_until_)) {
        end();
        return true;
    }
    Plan plan = *std::exchange(asked_, {});
    const BoxNode* const box = node_of(plan.box);
    // A person may have decided otherwise since.
    const bool holds = is_newest && box != nullptr && box->row.life == plan.to;
    return holds && kept(decision_.number, std::move(plan));
}

/// Between two samples only while a box drains or comes.
void FleetScaler::begin() {
    const auto own = seat_.own_row();
    const bool is_leaving = own && own->life != BoxLife::running;
    if (!settings_.enabled ||
        (!is_due_ && !errand_ && !asked_ && draining() == nullptr && !is_leaving)) {
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
    seen_.reset();
    decision_ = {};
    decided_ = {};
    asked_.reset();
    known_until_ = -1;
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
    work.seen = seen_.value_or(0);
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
    if (seen_ == decision.number) {
        return;
    }
    const bool is_ended = decision.box == BoxNumber{};  // by a person's word
    if (errand_ && is_ended && errand_->box == decision_.box) {
        errand_.reset();
    }
    if (seen_ && (decision.by != of_.box || is_ended)) {
        policy_ = scaling::make_policy(settings_.policy, rules_);
    }
    const auto own = seat_.own_row();
    known_until_ = seen_ && own ? own->beats + 1 : -1;  // one beat may be in flight
    seen_ = decision.number;
    seen_at_ = world_.clock.steady();
    decision_ = decision;
    decided_ = read_decision(decision.form).value_or(DecisionForm{});
}

void FleetScaler::see(const ports::FleetLoad& load) {
    const SteadyTime now = world_.clock.steady();
    watches_since_ = watches_since_.value_or(now);
    fleet_.clear();
    const auto own = seat_.own_row();
    for (ports::BoxRow row : seat_.fleet().boxes) {
        if (row.box == decision_.box && own && own->beats <= known_until_) {
            row.life = decision_.life;  // the last beat was before the decision
        }
        const auto silence = seat_.watch().silence(row.box);
        BoxNode box{
            .is_self = row.box == of_.box,
            .beats = silence.value_or(SteadyTime::duration::zero()) < world_.settings.lease};
        box.row = std::move(row);
        box.comes = decision_.box == box.row.box && decision_.life == BoxLife::running &&
                    decided_.wakes && now - seen_at_ < settings_.wake_within &&
                    !failed_.contains(box.row.box);
        const auto said = std::ranges::find(load.boxes, box.row.box, &ports::BoxLoad::box);
        if (said != load.boxes.end()) {
            if (auto work = read_box_work(said->form)) {
                box.work = *std::move(work);
            }
        }
        fleet_.push_back(std::move(box));
    }
    const auto known = std::ranges::count_if(
        fleet_, [](const BoxNode& box) { return may_come_back(box.row.life); });
    rules_.n_max = std::min(settings_.rules.n_max, static_cast<std::uint32_t>(known));
    rules_.n_max = std::max(rules_.n_max, rules_.n_min);
    look_at_trouble();
}

/// After a start all boxes seem to beat, until a lease is over.
bool FleetScaler::may_decide() const {
    return seat_.takes_work() && side_.power != nullptr && side_.power->is_there() &&
           watches_since_ && world_.clock.steady() - *watches_since_ >= world_.settings.lease;
}

/// Continues what was decided. True: the round continues.
bool FleetScaler::tend() {
    return errand_ ? tend_errand() : tend_drain();
}

bool FleetScaler::tend_errand() {
    if (!errand_->how) {
        return false;
    }
    const BoxNode* const box = node_of(errand_->box);
    if (errand_->what == PowerOrder::park) {
        if (!*errand_->how) {
            fail_errand(fmt::format("{} could not be parked: {}", errand_->name,
                                    errand_->how->error().context));
        }
        errand_.reset();
        return false;
    }
    if (box == nullptr || box->row.life != BoxLife::running) {
        errand_.reset();  // a person has decided otherwise
        return false;
    }
    if (box->row.beats > errand_->beats) {
        failed_.erase(errand_->box);
        errand_.reset();
        return false;
    }
    if (!*errand_->how && box->beats) {
        return false;  // it may be up, whatever the program says: its next beat tells, or their absence
    }
    if (!*errand_->how) {
        fail_errand(
            fmt::format("{} could not be woken: {}", errand_->name, errand_->how->error().context));
        decide({.box = errand_->box,
                .name = errand_->name,
                .from = BoxLife::running,
                .to = BoxLife::parked,
                .form = {.words = errand_->name + " stays parked: it could not be woken"}});
        return true;
    }
    if (world_.clock.steady() - errand_->since < settings_.wake_within) {
        return false;
    }
    fail_errand(fmt::format("{} was woken and has not come within {} s", errand_->name,
                            settings_.wake_within.count()));
    return instead_of(*std::exchange(errand_, std::nullopt));
}

void FleetScaler::fail_errand(std::string words) {
    if (errand_->what == PowerOrder::wake) {
        failed_[errand_->box] = ++failures_;
    }
    trouble_ = Trouble{.box = errand_->box, .what = errand_->what};
    shown_.trouble = words;
    side_.told(std::move(words));
}

/// It is over when the box is as it should be, or when a person has said that it is gone.
void FleetScaler::look_at_trouble() {
    if (!trouble_) {
        return;
    }
    const BoxNode* const box = node_of(trouble_->box);
    const bool is_off = box == nullptr || !box->beats || box->row.life != BoxLife::parked;
    const bool is_on = box == nullptr || box->beats || !may_come_back(box->row.life);
    if (trouble_->what == PowerOrder::park ? is_off : is_on) {
        trouble_.reset();
        shown_.trouble.clear();
    }
}

/// True: another box is woken.
bool FleetScaler::instead_of(const Errand& failed) {
    return may_decide() && wake_one("instead of " + failed.name, false);
}

/// Parks the box that was decided about, once it has nothing left. Where the box that decided is silent, or too long about
/// it, another one does. True: the round continues.
bool FleetScaler::tend_drain() {
    const BoxNode* const box = draining();
    if (box == nullptr || box->is_self) {
        return false;
    }
    const bool is_late = world_.clock.steady() - seen_at_ >= drains_within;
    const BoxNode* const by = node_of(decision_.by);
    const bool is_mine = is_late || decision_.by == of_.box || by == nullptr || !by->beats ||
                         by->row.life != BoxLife::running;
    if (is_mine && may_decide() && is_drained(*box)) {
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

/// The box that drains by the newest decision; null: none does, or by a person's word.
const BoxNode* FleetScaler::draining() const {
    const BoxNode* const box = node_of(decision_.box);
    return box != nullptr && decision_.life == BoxLife::draining &&
                   box->row.life == BoxLife::draining
               ? box
               : nullptr;
}

/// It said so itself, after it had heard that it drains.
bool FleetScaler::is_drained(const BoxNode& box) const {
    return box.row.held + box.row.firm == 0 && box.work && box.work->seen >= decision_.number &&
           box.work->own == 0 && cluster::why_it_stays(box, fleet_).empty();
}

std::string FleetScaler::why_it_stays(BoxNumber box) const {
    const BoxNode* const node = node_of(box);
    return node == nullptr ? std::string() : std::string(cluster::why_it_stays(*node, fleet_));
}

const BoxNode* FleetScaler::node_of(BoxNumber box) const {
    const auto found =
        std::ranges::find(fleet_, box, [](const BoxNode& one) { return one.row.box; });
    return found == fleet_.end() ? nullptr : &*found;
}

/// True: the round continues with a decision.
bool FleetScaler::sample() {
    const auto counted = production_.look(fleet_);
    if (settings_.learn_node_rate) {
        rules_.node_rate = counted.box_rate > 0 ? counted.box_rate : shown_.node_rate.value_or(0);
    }
    show(counted);
    if (rules_.node_rate <= 0) {
        return false;
    }
    const auto decision = policy_->step(sample_of(counted), std::max(counted.boxes, 1U));
    return decision && !errand_ && may_decide() && carry_out(*decision);
}

/// With the policy smsrack an empty store is no sign, as for modems.
scaling::Sample FleetScaler::sample_of(const BoxProduction::Counted& counted) const {
    std::int64_t queued = seat_.fleet().waiting;
    for (const BoxNode& box : fleet_) {
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
    const bool one_comes =
        std::ranges::any_of(fleet_, [](const BoxNode& node) { return node.comes && !node.beats; });
    const BoxNode* const box = draining() != nullptr || one_comes ? nullptr : to_park(fleet_);
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
    if (const BoxNode* const drains = draining()) {
        decide({.box = drains->row.box,
                .name = drains->row.name,
                .from = BoxLife::draining,
                .to = BoxLife::running,
                .form = {.words = fmt::format("{}; resumed: {}", why, drains->row.name)}});
        return true;
    }
    const BoxNode* const box = to_wake(fleet_, failed_);
    if (box == nullptr || (!again && failed_.contains(box->row.box))) {
        return false;
    }
    failed_.erase(box->row.box);
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
    plan.after = seen_.value_or(0);
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
    for (BoxNode& box : fleet_) {
        box.row.life = box.row.box == plan.box ? plan.to : box.row.life;
    }
    side_.told(plan.form.words);
    const auto failed = std::exchange(errand_, std::nullopt);
    if (plan.then) {
        order(*plan.then, plan.box, std::move(plan.name));
    }
    // The errand that failed was to wake it: its box is parked again, and another one is tried.
    return failed && plan.to == BoxLife::parked && !plan.then && instead_of(*failed);
}

void FleetScaler::order(PowerOrder what, BoxNumber box, std::string name) {
    const BoxNode* const seen = node_of(box);
    errand_ = Errand{.number = ++errands_,
                     .what = what,
                     .box = box,
                     .name = name,
                     .beats = seen == nullptr ? 0 : seen->row.beats};
    side_.power->order(what, std::move(name), [this, number = errands_](Result<> how) {
        world_.desk.post(
            [this, number, how = std::move(how)]() mutable { answered(number, std::move(how)); });
    });
}

/// One that a person's word has ended may be answered after the next one was given.
void FleetScaler::answered(std::int64_t errand, Result<> how) {
    if (errand_ && errand_->number == errand && !errand_->how) {
        const BoxNode* const seen = node_of(errand_->box);
        // A box that is on its way down may have beaten a last time.
        errand_->beats =
            seen == nullptr ? errand_->beats : std::max(errand_->beats, seen->row.beats);
        errand_->since = world_.clock.steady();
        errand_->how = std::move(how);
        wake();
    }
}

void FleetScaler::show(const BoxProduction::Counted& counted) {
    const BoxNode* const by = node_of(decision_.by);
    shown_.can_order = side_.power != nullptr && side_.power->is_there();
    shown_.nodes = counted.boxes;
    shown_.n_min = rules_.n_min;
    shown_.n_max = rules_.n_max;
    shown_.load = counted.load;
    shown_.forecast = counted.forecast;
    shown_.decisions = decision_.number;
    shown_.decision = decided_.words;
    shown_.decided_by = by == nullptr ? std::string() : by->row.name;
    if (rules_.node_rate > 0) {
        shown_.node_rate = rules_.node_rate;
    }
}

}  // namespace smsrack::cluster
