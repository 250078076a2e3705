#include "firmware-host/rack.hpp"

#include "db/open_rights.hpp"
#include "drivers/wavecom/profile.hpp"
#include "firmware-host/pin_key.hpp"
#include "firmware-host/rule_settings.hpp"
#include "firmware-host/setup/pin.hpp"
#include "firmware-host/setup/zone_file.hpp"

#include <algorithm>
#include <future>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace smsrack::host {
namespace {

NumberPlan plan_of(const config::LineSettings& line) {
    return {.country = line.country, .trunk = line.trunk};
}

std::set<std::string> groups_of(const config::Settings& settings) {
    std::set<std::string> groups;
    for (const config::ModemSettings& modem : settings.modems) {
        groups.insert(modem.line.group);
    }
    return groups;
}

dispatch::KeptLines kept_lines(const config::PrioritySettings& priority) {
    if (!priority.reserve) {
        return {};
    }
    return {.lines = static_cast<std::size_t>(priority.reserve->lines),
            .least = static_cast<Level>(priority.reserve->level)};
}

dispatch::DispatchSettings dispatch_settings(const config::Settings& settings) {
    const auto policy = [&] {
        switch (settings.queue.uncertain) {
            case config::UncertainPolicy::resend:
                return dispatch::UncertainPolicy::resend;
            case config::UncertainPolicy::hold:
                return dispatch::UncertainPolicy::hold;
            case config::UncertainPolicy::report:
                break;
        }
        return dispatch::UncertainPolicy::report;
    }();
    return {.retry = {.limit = static_cast<std::uint16_t>(settings.queue.retry_limit),
                      .base = settings.queue.retry_base,
                      .uncertain_after = settings.queue.uncertain_after,
                      .uncertain = policy},
            .disconnect = settings.defaults.disconnect,
            .cooling = {.after = static_cast<std::uint32_t>(settings.queue.cool_after),
                        .first = settings.queue.cool,
                        .most = settings.queue.cool_max},
            .ageing = {.on = settings.priority.ageing, .max_wait = settings.priority.max_wait},
            .kept = kept_lines(settings.priority)};
}

QuotaLimits quota_limits(const config::QuotaSettings& quota) {
    const auto limit = [](const std::optional<std::int64_t>& value) {
        return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
    };
    return {.by_window = {limit(quota.per_minute), limit(quota.per_hour), limit(quota.per_day),
                          limit(quota.per_month), limit(quota.recipients_per_month)}};
}

std::uint32_t n_max_of(const config::Settings& settings) {
    const auto modems = static_cast<std::int64_t>(std::max<std::size_t>(settings.modems.size(), 1));
    return static_cast<std::uint32_t>(std::min(settings.scaling.n_max.value_or(modems), modems));
}

/// Days turn where those of quotas do. That zone and days are good was looked at before (check_zones, config).
scaling::Calendar calendar_of(const config::Settings& settings) {
    if (settings.scaling.calendar.empty()) {
        return {};
    }
    return scaling::Calendar::parse(settings.scaling.calendar,
                                    read_zone(settings.defaults.quota_zone).value_or(TimeZone{}))
        .value_or(scaling::Calendar{});
}

dispatch::ScalerSettings scaler_settings(const config::Settings& settings) {
    const config::ScalingSettings& scaling = settings.scaling;
    const std::uint32_t n_max = n_max_of(settings);
    auto slow_after = settings.defaults.submit_slow;
    for (const config::ModemSettings& modem : settings.modems) {
        slow_after = std::max(slow_after, modem.line.submit_slow);
    }
    return {.enabled = scaling.enabled,
            .policy = scaling.policy == config::ScalingPolicy::paper ? scaling::PolicyName::paper
                                                                     : scaling::PolicyName::smsrack,
            .rules = {.n_min = std::min(static_cast<std::uint32_t>(scaling.n_min), n_max),
                      .n_max = n_max,
                      .samples = static_cast<std::size_t>(scaling.samples),
                      .period = scaling.period,
                      .idle = scaling.idle,
                      .busy = scaling.busy,
                      .node_rate = scaling.node_rate},
            .learn_node_rate = scaling.node_rate == 0,
            .capacity = settings.queue.capacity,
            .radio_off = scaling.radio_off,
            .calendar = calendar_of(settings),
            .slow_after = slow_after};
}

/// Those beyond n_max stay parked, whatever the load.
ports::GroupLines lines_of(const line::LineBoard& board, const dispatch::PauseBoard& pauses,
                           const std::string& group, std::uint32_t n_max, SteadyTime now) {
    ports::GroupLines lines = board.group_lines(group, now);
    lines.paused = dispatch::is_paused(pauses, group);
    if (!lines.parked.empty()) {
        const std::size_t open = board.open_lines(now);
        lines.parked.resize(
            std::min(lines.parked.size(), n_max - std::min<std::size_t>(n_max, open)));
    }
    return lines;
}

gsm::ModemSettings modem_settings(const config::ModemSettings& modem,
                                  const config::ServiceSettings& service, Log& log) {
    gsm::ModemSettings settings{
        .port = {.path = modem.port, .baud = static_cast<std::uint32_t>(modem.line.baud)},
        .heartbeat = modem.line.heartbeat,
        .submit_slow = modem.line.submit_slow,
        .submit_timeout = modem.line.submit_timeout,
        .command_gap = modem.line.command_gap,
        .roaming = modem.line.roaming,
        .record_texts = service.record_texts,
        .smsc = modem.line.smsc,
        .keep_link = modem.line.keep_link == config::KeepLink::automatic,
        .push = modem.line.push};
    if (modem.power) {
        settings.power_off = modem.power->off;
    }
    if (modem.pin) {
        auto pin = read_pin(*modem.pin);
        const auto key = pin_key(service.state_dir);
        const auto right = modem.pin->file.empty() ? std::nullopt : db::open_right(modem.pin->file);
        if (right) {
            log.warn("rights_too_open", {{"what", *right}, {"repair", db::repair_command}});
        }
        if (pin && key) {
            settings.pin_value = keyed_hash64(*key, *pin);
            settings.pin = std::move(*pin);
        } else {
            log.error("pin_unreadable", {{"modem", modem.name},
                                         {"error", (pin ? key.error() : pin.error()).context}});
        }
    }
    return settings;
}

dispatch::SelfSmsSettings self_sms_settings(const config::Settings& settings) {
    dispatch::SelfSmsSettings self_sms{
        .every = settings.priority.self_sms,
        .parked_sleep = settings.scaling.enabled && settings.scaling.radio_off};
    for (const config::ModemSettings& modem : settings.modems) {
        self_sms.numbers.push_back(modem.number);
    }
    return self_sms;
}

line::RadioRestSettings radio_rest(const config::ScalingSettings& scaling) {
    return {.radio_off = scaling.enabled && scaling.radio_off,
            .listen = scaling.listen,
            .awake = scaling.awake};
}

ports::SimPolicy sim_policy(config::SimPolicy policy) {
    switch (policy) {
        case config::SimPolicy::adopt:
            return ports::SimPolicy::adopt;
        case config::SimPolicy::refuse:
            return ports::SimPolicy::refuse;
        case config::SimPolicy::warn:
            break;
    }
    return ports::SimPolicy::warn;
}

/// Waits for the store's answer: at start only.
template <typename T, typename Port, typename Question>
Result<T> answer_of(Port& store, Question question) {
    std::promise<Result<T>> promise;
    store.ask(std::move(question), [&](Result<T> answer) { promise.set_value(std::move(answer)); });
    return promise.get_future().get();
}

/// Of attempts found open at this start, the one of each line; there is at most one.
Result<std::map<std::string, ports::UncertainAttempt>> left_open(ports::Store& store) {
    // More doubts than lines: older ones, of which no port can report anything.
    constexpr std::size_t most = 10'000;
    auto attempts = answer_of<std::vector<ports::UncertainAttempt>>(
        store, [](ports::StoreReader& reader) { return reader.uncertain(std::nullopt, most); });
    if (!attempts) {
        return std::unexpected(std::move(attempts.error()));
    }
    std::map<std::string, ports::UncertainAttempt> open;
    for (ports::UncertainAttempt& attempt : *attempts) {
        if (attempt.recovered) {
            open.insert_or_assign(attempt.modem, std::move(attempt));
        }
    }
    return open;
}

line::GivenUp given_up(const ports::UncertainAttempt& attempt) {
    return {attempt.attempt, attempt.message, attempt.segment, attempt.started_at};
}

}  // namespace

Rack::Rack(const config::Settings& settings, RackWorld world)
    : world_(world),
      flow_(world.clock),
      admission_(
          {.protect = settings.priority.protect, .t_max = settings.priority.sla}, world.store,
          flow_.responses(),
          [this, n_max = n_max_of(settings)](const std::string& group) {
              return lines_of(board_, pauses_, group, n_max, world_.clock.steady());
          },
          world.clock, [this] { scaler_.call_lines(); }),
      slots_(dispatch::slots_for(groups_of(settings).size(), settings.modems.size())),
      send_codec_({.short_validity = settings.queue.short_validity}, world.clock, world.random),
      receive_codec_(
          {world.codec_pool, world.store, world.links, world.clock, world.stats, world.log}),
      dispatcher_(dispatch_settings(settings),
                  {world.store, world.codec_pool, send_codec_, slots_, dispatch_waiter_,
                   world.clock, world.random, world.errors, world.stats, flow_, board_, world.log,
                   world.guard, &world.rack_store, world.control, world.quiet}),
      view_({board_, flow_, world.store, admission_, scaling_board_, pauses_, dispatcher_,
             world.clock, world.guard, world.health, world.box},
            world.log),
      scaler_(scaler_settings(settings),
              {board_, flow_, admission_, [this] { return waiting_for_lines(); }, world.rack_store,
               [this](ModemId line, ports::GateOrder order) { dispatcher_.gate(line, order, {}); },
               [this](ModemId line, std::chrono::milliseconds length) {
                   lines_.at(line.value)->stay_awake(length);
               },
               scaling_board_, world.stats, scaling_waiter_, world.clock, world.log}),
      self_sms_(self_sms_settings(settings),
                {board_, flow_.responses(), pauses_, world.quiet, world.store, world.rack_store,
                 world.stats, world.clock, world.random, world.log}),
      self_sms_order_({board_, flow_.responses(), pauses_, world.quiet, world.store,
                       world.rack_store, world.stats, world.clock, world.random, world.log}),
      parts_{dispatcher_, flow_, pauses_, receive_codec_, world.events, lines_, self_sms_},
      dispatch_worker_("dispatch", dispatcher_, dispatch_waiter_, world.clock),
      scaling_worker_("scaling", scaler_, scaling_waiter_, world.clock),
      self_sms_worker_("self-sms", self_sms_, self_sms_waiter_, world.clock) {}

Rack::~Rack() {
    stop();
}

Result<std::unique_ptr<Rack>> Rack::make(const config::Settings& settings, RackWorld world,
                                         std::vector<LineHandOver> left,
                                         const RackLearned& learned) {
    auto rack = std::make_unique<Rack>(settings, world);
    rack->left_ = std::move(left);
    if (auto added = rack->add_groups(settings); !added) {
        return std::unexpected(std::move(added.error()));
    }
    if (auto added = rack->add_lines(settings); !added) {
        return std::unexpected(std::move(added.error()));
    }
    if (auto blocked = rack->block_lines(); !blocked) {
        return std::unexpected(std::move(blocked.error()));
    }
    if (auto read = rack->read_pauses(); !read) {
        return std::unexpected(std::move(read.error()));
    }
    if (auto read = rack->read_self_sms(); !read) {
        return std::unexpected(std::move(read.error()));
    }
    rack->admission_.adopt(learned.groups);
    rack->dispatcher_.adopt(learned.cooling);
    rack->scaler_.adopt(learned.scaling);
    rack->adopt_wakes(learned.wakes);
    world.links.connect(rack->parts_);
    rack->adopt_lines();
    return rack;
}

/// A pause outlives the process.
Result<> Rack::read_pauses() {
    auto pauses = answer_of<std::vector<ports::Pause>>(
        world_.store, [](ports::StoreReader& reader) { return reader.pauses(); });
    if (!pauses) {
        return std::unexpected(std::move(pauses.error()));
    }
    pauses_.show(*pauses);
    dispatcher_.pauses_changed(*std::move(pauses));
    return {};
}

Result<> Rack::add_groups(const config::Settings& settings) {
    for (const std::string& name : groups_of(settings)) {
        const auto id = world_.store.group_id(name);
        if (!id) {
            return std::unexpected(id.error());
        }
        const auto lines = std::ranges::count(settings.modems, name,
                                              [](const auto& modem) { return modem.line.group; });
        dispatcher_.add_group(*id, name, static_cast<std::size_t>(lines));
        groups_.emplace_back(*id, name);
        admission_.add_group(*id, name);
        self_sms_.add_group(*id, name);
    }
    return {};
}

/// The store counts messages, and the segments of those that no held batch has: what waits is the fewer of both.
std::int64_t Rack::waiting_for_lines() const {
    std::int64_t work = 0;
    for (const auto& [id, name] : groups_) {
        if (!dispatch::is_paused(pauses_, name)) {
            const ports::LevelCounts levels = world_.store.work(id);
            work += std::accumulate(levels.begin(), levels.end(), std::int64_t{0});
        }
    }
    const ports::LevelCounts waiting = world_.store.waiting();
    return std::min(work, std::accumulate(waiting.begin(), waiting.end(), std::int64_t{0}));
}

/// Null: the modem has no quota. bad_config: its zone is not known here.
Result<line::SimQuota*> Rack::add_quota(const config::ModemSettings& modem, ModemId id) {
    const QuotaLimits limits = quota_limits(modem.quota.value_or(config::QuotaSettings{}));
    if (!limits.any()) {
        return nullptr;
    }
    auto zone = read_zone(modem.line.quota_zone);
    if (!zone) {
        return std::unexpected(std::move(zone.error()));
    }
    quotas_.push_back(std::make_unique<line::SimQuota>(
        line::SimQuotaSettings{
            .limits = limits,
            .zone = *std::move(zone),
            .warn_percent = static_cast<std::uint32_t>(modem.line.quota_warn_percent)},
        world_.clock));
    board_.show(id, *quotas_.back());
    return quotas_.back().get();
}

Result<> Rack::add_lines(const config::Settings& settings) {
    auto open = left_open(world_.store);
    if (!open) {
        return std::unexpected(std::move(open.error()));
    }
    const auto groups = groups_of(settings);
    for (const config::ModemSettings& modem : settings.modems) {
        const ModemId id = board_.add(modem.name, modem.port, modem.line.group);
        const auto found = open->find(modem.name);
        const auto earlier = found != open->end() ? std::optional(found->second) : std::nullopt;
        auto quota = add_quota(modem, id);
        if (!quota) {
            return std::unexpected(std::move(quota.error()));
        }
        const auto group = static_cast<std::uint16_t>(
            std::distance(groups.begin(), groups.find(modem.line.group)));
        dispatcher_.add_line(id, group, earlier);
        modems_.push_back(std::make_unique<gsm::GsmModem>(
            modem.name, wavecom::profile, modem_settings(modem, settings.service, world_.log),
            world_.open_port(modem), world_.clock, world_.log, world_.power_of(modem)));
        const bool adopted = adopt_modem(*modems_.back(), modem);
        lines_.push_back(std::make_unique<line::ModemLine>(
            line::LineSettings{.id = id,
                               .name = modem.name,
                               .left_open = earlier.transform(given_up),
                               .adopted = adopted,
                               .disconnect = modem.line.disconnect,
                               .number = modem.number,
                               .plan = plan_of(modem.line),
                               .pace = modem.line.pace,
                               .pace_jitter = modem.line.pace_jitter,
                               .sim_policy = sim_policy(modem.line.sim_policy),
                               .rest = radio_rest(settings.scaling)},
            line::LineWorld{*modems_.back(), world_.store, world_.links, slots_, board_,
                            world_.clock, world_.log, world_.random, *quota}));
        receive_codec_.add_line({.name = modem.name,
                                 .plan = plan_of(modem.line),
                                 .own_number = [this, id] { return board_.own_number(id); }},
                                lines_.back()->received());
        dispatcher_.connect_line(id, *lines_.back());
        line_workers_.push_back(std::make_unique<Worker>("line-" + modem.name, *lines_.back(),
                                                         modems_.back()->waiter(), world_.clock));
    }
    return {};
}

/// Those that the operator had blocked before this start.
Result<> Rack::block_lines() {
    const auto names = answer_of<std::vector<std::string>>(
        world_.rack_store, [](ports::RackReader& reader) { return reader.blocked_lines(); });
    if (!names) {
        return std::unexpected(names.error());
    }
    for (const std::string& name : *names) {
        if (const auto line = line_named(name)) {
            dispatcher_.begin_blocked(*line);
        }
    }
    return {};
}

Result<> Rack::read_self_sms() {
    auto sent = answer_of<std::vector<ports::SelfSmsSent>>(
        world_.rack_store, [](ports::RackReader& reader) { return reader.self_sms_sent(); });
    if (!sent) {
        return std::unexpected(std::move(sent.error()));
    }
    self_sms_.remember(*std::move(sent));
    return {};
}

void Rack::stay_down(const std::string& reason, const std::string& detail) {
    stays_down_ = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        board_.not_ready(ModemId{static_cast<std::uint16_t>(i)}, ports::LinkState::stop, reason,
                         detail);
    }
}

void Rack::start() {
    if (stays_down_) {
        return;
    }
    dispatch_worker_.start();
    scaling_worker_.start();
    if (self_sms_.has_work()) {
        self_sms_worker_.start();
    }
    for (const auto& worker : line_workers_) {
        worker->start();
    }
}

std::vector<Stepper*> Rack::steppers() {
    std::vector<Stepper*> all{&dispatcher_, &scaler_, &self_sms_};
    for (const auto& line : lines_) {
        all.push_back(line.get());
    }
    return all;
}

Result<> Rack::order(std::string_view line, ports::HandOrder order, ports::HandDone done) {
    const auto found = line_named(line);
    if (!found) {
        return fail(Errc::not_found, "no modem has this name");
    }
    lines_[found->value]->order(std::move(order), std::move(done));
    return {};
}

Result<> Rack::gate(std::string_view line, ports::GateOrder order, ports::GateDone done) {
    const auto found = line_named(line);
    if (!found) {
        return fail(Errc::not_found, "no modem has this name");
    }
    dispatcher_.gate(*found, order, std::move(done));
    return {};
}

std::optional<ModemId> Rack::line_named(std::string_view name) const {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const ModemId id{static_cast<std::uint16_t>(i)};
        if (board_.name(id) == name) {
            return id;
        }
    }
    return std::nullopt;
}

std::vector<const Worker*> Rack::workers() const {
    std::vector<const Worker*> all{&dispatch_worker_, &scaling_worker_, &self_sms_worker_};
    for (const auto& worker : line_workers_) {
        all.push_back(worker.get());
    }
    return all;
}

void Rack::port_changed(std::size_t line) {
    lines_.at(line)->port_changed();
}

void Rack::stop_giving() {
    dispatcher_.stop_giving();
}

void Rack::stop() {
    self_sms_worker_.stop();
    scaling_worker_.stop();
    for (const auto& worker : line_workers_) {
        worker->stop();
    }
    dispatch_worker_.stop();
}

}  // namespace smsrack::host
