#include "firmware-host/fleet_side.hpp"

#include "db/postgres/postgres_schema.hpp"
#include "firmware-host/rack_settings.hpp"
#include "firmware-host/rule_settings.hpp"
#include "firmware-host/version.hpp"

#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace smsrack::host {
namespace {

cluster::FleetScaling fleet_scaling(const config::Settings& settings) {
    const config::FleetScalingSettings& scaling = settings.cluster->scaling;
    return {.enabled = scaling.enabled,
            .policy = policy_of(scaling),
            .rules = scaling_rules(
                scaling, static_cast<std::uint32_t>(scaling.n_max.value_or(scaling::nodes_max))),
            .learn_node_rate = scaling.node_rate == 0,
            .capacity = settings.queue.capacity,
            .park_awaited = scaling.park_awaited,
            .sticky = scaling.sticky,
            .wake_within = scaling.wake_within};
}

cluster::FleetSettings fleet_settings(const config::Settings& settings,
                                      const BoxIdentity& identity) {
    const config::ClusterSettings& cluster = *settings.cluster;
    return {.who = {.name = identity.name, .key = identity.key},
            .release = static_cast<std::uint32_t>(postgres::schema_steps().size()),
            .lease = cluster.lease,
            .ahead = cluster.ahead,
            .alone = cluster.alone_for,
            .uncertain = settings.queue.uncertain_after,
            .resend = settings.queue.uncertain == config::UncertainPolicy::resend,
            .accept_wait = cluster.accept_wait,
            .refuses_alone = cluster.alone == config::AlonePolicy::refuse,
            .alone_lowest = static_cast<Level>(cluster.alone_levels.lowest),
            .alone_highest = static_cast<Level>(cluster.alone_levels.highest),
            .opt_out = opt_out_rules(settings),
            .rules_max_age = cluster.rules_max_age,
            .rules_exempt_level = static_cast<Level>(cluster.rules_exempt_level),
            .quota_by_own_count = cluster.quota_alone == config::QuotaAlone::own_count,
            .sticky_wait = cluster.sticky_wait,
            .known = settings.messages.keep,
            .scaling = fleet_scaling(settings)};
}

/// Counted in segments: where messages have several, the box takes fewer of them.
std::vector<cluster::GroupPace> groups_of(Rack& rack) {
    std::vector<cluster::GroupPace> groups;
    for (const ports::GroupLoad& load : rack.admission().loads()) {
        groups.push_back({.group = load.name,
                          .messages_per_s = load.rate.value_or(0),
                          .modems = load.lines.able,
                          .held = static_cast<std::size_t>(load.levels.front().ahead)});
    }
    return groups;
}

std::string_view seat_name(cluster::SeatState state) {
    return cluster::seat_state_names.at(static_cast<std::size_t>(state));
}

/// Names of the boxes that have not put back what they have.
std::string lacking(const ports::FleetFacts& facts) {
    std::string names;
    for (const ports::BoxSeen& box : facts.boxes) {
        if (box.row.is_waited_for) {
            names += (names.empty() ? "" : ", ") + box.row.name;
        }
    }
    return names.empty() ? "the next beat" : names;
}

}  // namespace

Result<std::unique_ptr<FleetSide>> FleetSide::make(Run& run) {
    if (!run.settings.cluster) {
        return nullptr;
    }
    const config::ClusterSettings& cluster = *run.settings.cluster;
    auto identity = read_identity(run.settings.service.state_dir);
    if (!identity || identity->number == BoxNumber{}) {
        return fail(Errc::bad_config,
                    fmt::format("[cluster]: this box has not joined{}; run `smsrack cluster join`",
                                identity ? "" : " (" + identity.error().context + ")"));
    }
    if (identity->name != cluster.name) {
        return fail(
            Errc::bad_config,
            fmt::format("[cluster] name is {}, but this box joined as {}; correct the name, "
                        "or run `smsrack cluster join`",
                        cluster.name, identity->name));
    }
    auto engine = postgres::PostgresEngine::make(
        {.conninfo = cluster.engine, .box = cluster.name, .lease = cluster.lease}, run.clock,
        run.log);
    if (!engine) {
        return std::unexpected(std::move(engine.error()));
    }
    return std::unique_ptr<FleetSide>(new FleetSide(run, *std::move(identity), *std::move(engine)));
}

FleetSide::FleetSide(Run& run, BoxIdentity identity,
                     std::unique_ptr<postgres::PostgresEngine> engine)
    : run_(run),
      identity_(std::move(identity)),
      engine_(std::move(engine)),
      upgrade_(run),
      power_(run.loop, run.settings.cluster->wake.empty() ? std::string()
                                                          : run.settings.cluster->wake_socket) {}

FleetSide::~FleetSide() {
    close();
}

void FleetSide::open(db::SqliteStore& store, Rack& rack) {
    store_ = &store;
    rack_ = &rack;
    work_.of(rack.view(), rack.flow(), rack.admission());
    const auto settings = fleet_settings(run_.settings, identity_);
    const auto report = [this] {
        ports::BoxReport report{.version = std::string(version),
                                .engine_node = run_.settings.cluster->engine_node};
        for (const cluster::GroupPace& group : groups_of(*rack_)) {
            report.modems += static_cast<std::int64_t>(group.modems);
            report.messages_per_s += group.messages_per_s;
        }
        constexpr double digits = 1'000;  // each octet of a beat counts on a narrow link
        report.messages_per_s = std::round(report.messages_per_s * digits) / digits;
        return report;
    };
    const auto conflict = [this](MessageId message, const ports::PutAnswer& answer) {
        run_.log.warn("cluster_conflict",
                      {{"message", message.value}, {"first", answer.first.value}});
        tell(fmt::format("conflict message {} is not kept by the fleet, which has {}",
                         message.value, answer.first.value));
    };
    desk_.emplace(
        *engine_, store, run_.clock, waiter_, settings,
        cluster::BoxSide{
            .report = report,
            .groups = [this] { return groups_of(*rack_); },
            .conflict = conflict,
            .give_up = [this](MessageId id, auto done) { give_up(id, std::move(done)); },
            .changed = [this] { changed(); },
            .scaling = {.work = [this] { return box_work(); },
                        .iccids = [this] { return work_.iccids(); },
                        .power = &power_,
                        .told = [this](std::string words) { decided(std::move(words)); }},
            .upgrade = upgrade_.side(),
            .answer = [this](ports::BoxQuestion question,
                             auto done) { answer(std::move(question), std::move(done)); }});
    opened_.store(&*desk_, std::memory_order_release);
    door_.emplace(*desk_, settings, run_.settings.cluster->site, power_);
    worker_.emplace("cluster", *desk_, waiter_, run_.clock);
    for (const auto& order : std::exchange(early_, {})) {
        order();
    }
}

/// With what the fleet does not share: what waits for its time, and what was accepted for this box alone.
cluster::BoxWork FleetSide::box_work() {
    cluster::BoxWork work = work_.look(run_.clock.steady());
    const auto states = store_->counts();
    const auto count = [&](MessageState state) {
        return states.at(static_cast<std::size_t>(state));
    };
    work.own = count(MessageState::queued) + count(MessageState::sending);
    work.stays = count(MessageState::scheduled) > 0 ? "scheduled" : "";
    return work;
}

void FleetSide::follow(ModemId line, std::string iccid, bool has_stayed,
                       std::function<void(ports::SimShare)> told) {
    cluster::SimSharer::InSlot sim{.iccid = std::move(iccid),
                                   .group = run_.settings.modems.at(line.value).line.group,
                                   .has_stayed = has_stayed};
    if (cluster::FleetDesk* const desk = opened_.load(std::memory_order_acquire)) {
        return desk->follow_sim(line, std::move(sim), std::move(told));
    }
    early_.emplace_back([this, line, sim = std::move(sim), told = std::move(told)] {
        desk_->follow_sim(line, sim, told);
    });
}

void FleetSide::leave(ModemId line) {
    if (cluster::FleetDesk* const desk = opened_.load(std::memory_order_acquire)) {
        return desk->leave_sim(line);
    }
    early_.emplace_back([this, line] { desk_->leave_sim(line); });
}

/// By the loop, on which the API is. Behind close() nothing is answered: a call that the loop does not come to any more is dropped when
/// the desk has gone.
void FleetSide::answer(ports::BoxQuestion question, std::function<void(ports::BoxAnswer)> done) {
    run_.loop.post([api = std::weak_ptr(api_), question = std::move(question),
                    done = std::move(done)]() mutable {
        if (const auto there = api.lock()) {
            (*there)->answer(std::move(question),
                             [api, done = std::move(done)](ports::BoxAnswer answer) {
                                 if (!api.expired()) {
                                     done(std::move(answer));
                                 }
                             });
        }
    });
}

void FleetSide::start(ports::Upkeep& upkeep, api::Api& api) {
    api_ = std::make_shared<api::Api*>(&api);
    upgrade_.open(upkeep);
    if (const auto& ended = upkeep.outcome().upgrade) {
        desk_->post(
            [this, why_not = *ended ? std::nullopt : std::optional(ended->error().context)] {
                desk_->upgrader().begins_by_hand_over(why_not);
            });
    }
    engine_->start();
    worker_->start();
    door_->open(true);
}

void FleetSide::close() {
    if (!worker_) {
        return engine_->stop();
    }
    door_->open(false);
    worker_->stop();
    upgrade_.close();
    api_.reset();
    engine_->stop();
    desk_->end();  // what the engine answered last, too
    worker_.reset();
}

/// Of which another box decides: an attempt that is in flight is left to end, and one in doubt to its policy.
void FleetSide::give_up(MessageId message, std::function<void(Result<>)> done) {
    static_cast<ports::Store&>(*store_).ask(
        [message](ports::StoreReader& reader) { return reader.message_row(message); },
        [this, done = std::move(done)](const Result<ports::MessageRow>& row) {
            if (!row) {
                return done(std::unexpected(row.error()));
            }
            if (row->state == MessageState::uncertain) {
                return done({});
            }
            store_->post(ports::FinishMessage{.message = row->id,
                                              .event = MessageEvent::give_up,
                                              .detail = "taken_by_another_box",
                                              .at = run_.clock.wall()},
                         [done](const Result<MessageState>& state) {
                             done(state ? Result<>{} : std::unexpected(state.error()));
                         });
        });
}

void FleetSide::changed() {
    door_->look();
    const ports::FleetFacts facts = door_->facts();
    note_engine(facts);
    note_boxes(facts);
}

void FleetSide::tell(std::string words) {
    store_->post(ports::KeepEvent{
        {.at = run_.clock.wall(), .type = EventType::cluster_notice, .detail = std::move(words)}});
}

void FleetSide::decided(std::string words) {
    run_.log.info("cluster_decision", {{"words", words}});
    tell("decision " + std::move(words));
}

void FleetSide::note_engine(const ports::FleetFacts& facts) {
    const bool away = facts.away && *facts.away >= facts.lease;
    if (away == away_told_ || (facts.away && !away)) {
        return;
    }
    away_told_ = away;
    if (away) {
        run_.log.warn("cluster_engine_away", {{"why", facts.trouble}});
    } else {
        run_.log.info("cluster_engine_answers");
    }
    tell(away ? "engine away" : "engine answers");
}

void FleetSide::note_boxes(const ports::FleetFacts& facts) {
    for (const ports::BoxSeen& box : facts.boxes) {
        const bool silent = box.silent >= facts.lease;
        const auto known = silent_.find(box.row.name);
        if (box.is_self || (known == silent_.end() && !silent) ||
            (known != silent_.end() && known->second == silent)) {
            continue;
        }
        silent_.insert_or_assign(box.row.name, silent);
        run_.log.info("cluster_box",
                      {{"box", box.row.name}, {"state", silent ? "silent" : "runs"}});
        tell(fmt::format("box {} {}", box.row.name, silent ? "is silent" : "runs again"));
    }
}

std::vector<ports::Condition> FleetSide::conditions() const {
    std::vector<ports::Condition> found;
    if (!door_) {
        return found;
    }
    const ports::FleetFacts facts = door_->facts();
    if (facts.seat == seat_name(cluster::SeatState::closed)) {
        found.push_back(
            {.kind = ports::ConditionKind::fleet_forgot,
             .subject = "fleet",
             .text = "the engine was restored from a backup, or is another one: it has forgotten "
                     "what it had answered, and no box takes work from it",
             .advice = "when all boxes run: `smsrack cluster rebuild`"});
        return found;
    }
    if (facts.seat == seat_name(cluster::SeatState::returning)) {
        found.push_back({.kind = ports::ConditionKind::fleet_returning,
                         .subject = "fleet",
                         .text = "boxes put back into the engine what they have; it waits for " +
                                 lacking(facts),
                         .advice = "start what does not run; of a box that never comes back: "
                                   "`smsrack cluster dead NAME`"});
        return found;
    }
    if (facts.away && *facts.away >= facts.lease) {
        found.push_back(
            {.kind = ports::ConditionKind::fleet_away,
             .subject = "fleet",
             .text = fmt::format("the engine of the fleet has not answered for {} s{}{}",
                                 facts.away->count() / 1'000, facts.trouble.empty() ? "" : ": ",
                                 facts.trouble),
             .advice = facts.may_begin
                           ? "what this box has firm is sent, and what it accepts is "
                             "kept on it alone; look at the engine: `smsrack cluster check`"
                           : "what boxes share waits; look at the engine: `smsrack "
                             "cluster check`"});
        return found;
    }
    if (!facts.away && !facts.two_disks) {
        found.push_back({.kind = ports::ConditionKind::fleet_one_disk,
                         .subject = "fleet",
                         .text =
                             "the engine has no synchronous standby: what is accepted is on one "
                             "disk of it",
                         .advice = "bring the standby back: `smsrack cluster check`"});
    }
    if (!facts.scaling.trouble.empty()) {
        found.push_back({.kind = ports::ConditionKind::box_power,
                         .subject = "fleet",
                         .text = facts.scaling.trouble,
                         .advice =
                             "look at that box, and at what the program of [cluster] wake says: "
                             "`journalctl -u 'smsrack-wake@*'`"});
    }
    for (const ports::BoxSeen& box : facts.boxes) {
        const bool counts =
            box.row.life == ports::BoxLife::running || box.row.life == ports::BoxLife::draining;
        if (!facts.away && !box.is_self && counts && box.silent >= facts.lease) {
            found.push_back(
                {.kind = ports::ConditionKind::box_silent,
                 .subject = "box " + box.row.name,
                 .text = fmt::format("has been silent for {} s and has {} firm messages",
                                     box.silent.count() / 1'000, box.row.firm),
                 .advice = fmt::format("look at that box; if it never comes back: `smsrack cluster "
                                       "dead {}`",
                                       box.row.name)});
        }
    }
    return found;
}

}  // namespace smsrack::host
