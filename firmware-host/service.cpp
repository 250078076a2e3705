#include "firmware-host/service.hpp"

#include "db/disk_room.hpp"
#include "db/open_rights.hpp"
#include "db/sqlite_store.hpp"
#include "drivers/serial/serial_source.hpp"
#include "firmware-host/access_settings.hpp"
#include "firmware-host/health.hpp"
#include "firmware-host/hot_plug.hpp"
#include "firmware-host/lifecycle_states.hpp"
#include "firmware-host/memory_at_rest.hpp"
#include "firmware-host/net/http_server.hpp"
#include "firmware-host/net/loop.hpp"
#include "firmware-host/rack.hpp"
#include "firmware-host/rack_links.hpp"
#include "firmware-host/rule_settings.hpp"
#include "firmware-host/setup/local_accounts.hpp"
#include "firmware-host/setup/trigger_files.hpp"
#include "firmware-host/system_random.hpp"
#include "firmware-host/systemd_notify.hpp"
#include "firmware-host/ticks.hpp"
#include "firmware-host/version.hpp"
#include "hw/power/gpio_power.hpp"
#include "src/api/api.hpp"
#include "src/base/guarded_clock.hpp"
#include "src/base/thread_pool.hpp"
#include "src/base/time_text.hpp"
#include "src/base/worker.hpp"
#include "src/dispatch/availability.hpp"
#include "src/intake/intake.hpp"
#include "src/pdu/reassembler.hpp"
#include "src/results/assembly_rule.hpp"
#include "src/results/repeat_rule.hpp"
#include "src/results/report_matcher.hpp"
#include "src/rules/opt_out_words.hpp"
#include "src/trigger/engine.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

using namespace std::chrono_literals;

constexpr auto health_period = 10s;  // where no watchdog says how often
constexpr auto look_period = 2s;     // at what is wrong; a store that can't write is tried as often
// Where the configuration is broken: its file has to be corrected.
constexpr auto begin_again_after = 60s;
// A disk that fails is noticed within, if nothing else is written.
constexpr auto idle_write_period = 30s;
// In addition to submit_timeout: the modem's answer, its commit, the last responses.
constexpr auto drain_margin = 10s;

/// Another one each time the machine starts; where the kernel does not say it, each time the service does.
std::string boot_id() {
    std::string id;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id") >> std::ws, id);
    return id.empty() ? std::to_string(std::random_device{}()) : id;
}

db::SqliteStoreSettings store_settings(const config::Settings& settings) {
    db::SqliteStoreSettings store;
    store.boot = boot_id();
    store.path = std::filesystem::path(settings.service.state_dir) / "smsrack.db";
    store.capacity = settings.queue.capacity;
    store.readers_max = static_cast<std::size_t>(settings.service.readers);
    store.duplicate_window = settings.dedup.window;
    store.uncertain_after = settings.queue.uncertain_after;
    for (const config::ModemSettings& modem : settings.modems) {
        store.slots.push_back(modem.name);
    }
    return store;
}

/// "default" where it has a line; else where the lines are.
std::string default_group(const std::set<std::string>& groups, const std::string& of_lines) {
    return groups.contains("default") || groups.empty() ? "default"
           : groups.contains(of_lines)                  ? of_lines
                                                        : *groups.begin();
}

net::PlaceLimits places_of(const config::ServiceSettings& service) {
    return {.connections = static_cast<std::size_t>(service.connections),
            .per_account = static_cast<std::size_t>(service.connections_per_account)};
}

std::unique_ptr<ThreadPool> pool_of(std::string name, std::int64_t threads) {
    return std::make_unique<ThreadPool>(ThreadPoolSettings{
        .name = std::move(name), .threads_max = static_cast<std::size_t>(threads)});
}

std::size_t memory_bytes_of(const config::ServiceSettings& service) {
    constexpr unsigned mib_bits = 20;
    return static_cast<std::size_t>(service.memory_mib) << mib_bits;
}

intake::IntakeSettings intake_settings(const config::Settings& settings,
                                       const rules::QuietHours& quiet) {
    intake::IntakeSettings intake{
        .plan = {.country = settings.defaults.country, .trunk = settings.defaults.trunk},
        .default_level = static_cast<Level>(settings.priority.default_level),
        .default_report = settings.defaults.report,
        .default_ttl = settings.queue.ttl,
        .segments_max = static_cast<std::size_t>(settings.queue.segments_max),
        .duplicate_window = settings.dedup.window,
        .routes = routes(settings.routes),
        .default_group = settings.defaults.group,
        .destinations = destination_rules(settings.destinations),
        .limits = recipient_limits(settings.limits),
        .quiet = quiet,
        .clients = client_limits(settings),
        .client_limits = client_limits(settings.clients),
        .known_clients_only = settings.clients.known_only};
    std::set<std::string> groups;
    for (const config::ModemSettings& modem : settings.modems) {
        groups.insert(modem.line.group);
        intake.group_plans.insert_or_assign(
            modem.line.group, NumberPlan{.country = modem.line.country, .trunk = modem.line.trunk});
    }
    intake.groups.assign(groups.begin(), groups.end());
    intake.default_group = default_group(groups, settings.defaults.group);
    return intake;
}

api::ApiSettings api_settings(const config::Settings& settings, Log& log) {
    api::ApiSettings api{
        .version = std::string(version),
        .plan = {.country = settings.defaults.country, .trunk = settings.defaults.trunk}};
    api.uncertain_policy = config::Words<config::UncertainPolicy>::names.at(
        static_cast<std::size_t>(settings.queue.uncertain));
    api.retry_limit = settings.queue.retry_limit;
    api.ageing = {.on = settings.priority.ageing, .max_wait = settings.priority.max_wait};
    std::ranges::transform(settings.priority.sla, api.sla_ms.begin(),
                           [](auto sla) { return sla.count(); });
    api.opt_out = opt_out_rules(settings);
    api.access = access_rules(settings, log);
    return api;
}

std::unique_ptr<ports::Power> power_of(const config::ModemSettings& modem) {
    if (!modem.power) {
        return nullptr;
    }
    return std::make_unique<power::GpioPower>(
        power::GpioSettings{.chip = modem.power->chip,
                            .line = static_cast<unsigned>(modem.power->line),
                            .active_low = modem.power->active_low});
}

std::vector<std::string> ports_of(const config::Settings& settings) {
    std::vector<std::string> ports;
    for (const config::ModemSettings& modem : settings.modems) {
        ports.push_back(modem.port);
    }
    return ports;
}

Result<> make_state_dir(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) {
        return fail(Errc::not_allowed, "state_dir " + path + ": " + error.message(), error.value());
    }
    return {};
}

/// Where a socket outside of /run/smsrack is wanted. Others must be able to reach it.
Result<> make_socket_folder(const std::string& socket) {
    const std::filesystem::path folder = std::filesystem::path(socket).parent_path();
    std::error_code error;
    if (std::filesystem::create_directories(folder, error)) {
        std::filesystem::permissions(folder, std::filesystem::perms(0755), error);
    }
    if (error) {
        return fail(Errc::not_allowed, "socket folder " + folder.string() + ": " + error.message(),
                    error.value());
    }
    return {};
}

bool is_configured(const config::Settings& settings, const LineHandOver& line) {
    return std::ranges::any_of(settings.modems, [&](const config::ModemSettings& modem) {
        return modem.name == line.name && modem.port == line.path && modem.line.baud == line.baud;
    });
}

/// The codec's pool, as long as it is there; what comes later is dropped, since it is in the modem still.
class GatedExecutor final : public Executor {
public:
    explicit GatedExecutor(Executor& to) : to_(&to) {}
    void post(Job job) override {
        if (to_ != nullptr) {
            to_->post(std::move(job));
        }
    }
    /// When only this thread posts.
    void close() { to_ = nullptr; }

private:
    Executor* to_;
};

/// The lines of a run that only reads: no order reaches a modem.
struct NoOrders final : public ports::LineOrders {
    [[nodiscard]] static Error why() {
        return {.code = Errc::storage,
                .context =
                    "the disk could not be written when the service started; the modems start as "
                    "soon as it can"};
    }
    [[nodiscard]] Result<> order(std::string_view, ports::HandOrder, ports::HandDone) override {
        return std::unexpected(why());
    }
    [[nodiscard]] Result<> gate(std::string_view, ports::GateOrder, ports::GateDone) override {
        return std::unexpected(why());
    }
};

/// The Api is made before that which it gives orders to.
struct UpkeepLink final : public ports::Upkeep {
    ports::Upkeep* to = nullptr;

    void upgrade(ports::UpgradeOrder order, Refused refused) override {
        to->upgrade(std::move(order), std::move(refused));
    }
    void reload(Reloaded reloaded) override { to->reload(std::move(reloaded)); }
    [[nodiscard]] const ports::UpkeepOutcome& outcome() const override { return to->outcome(); }
};

}  // namespace

void log_reload(Log& log, const ports::ReloadReport& report) {
    if (!report.applied.empty()) {
        log.info("config_applied",
                 {{"changed", fmt::format("{}", fmt::join(report.applied, ", "))}});
    }
    if (!report.needs_restart.empty()) {
        log.warn("config_waits_for_restart",
                 {{"changed", fmt::format("{}", fmt::join(report.needs_restart, ", "))}});
    }
}

class Service::Impl {
public:
    Impl(Configuration configuration, std::string config_file, stats::Stats& stats, LimitedLog& log,
         const Clock& clock)
        : settings_(std::move(configuration.settings)),
          errors_(std::move(configuration.errors)),
          triggers_(std::move(configuration.triggers)),
          config_warnings_(std::move(configuration.warnings)),
          config_file_(std::move(config_file)),
          log_(log),
          stats_(stats),
          guard_(clock, settings_.service.clock_wait),
          readers_(pool_of("store-r", settings_.service.readers)),
          codec_pool_(pool_of("codec", settings_.service.codec_threads)),
          codec_gate_(*codec_pool_),
          events_(loop_),
          systemd_(systemd_of_environment()) {}

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() { end(); }

    Result<> prepare(HandOver left, ports::UpkeepOutcome outcome) {
        if (auto made = make_state_dir(settings_.service.state_dir); !made) {
            return made;
        }
        if (auto made = make_socket_folder(settings_.service.socket); !made) {
            return made;
        }
        for (const std::string& right : db::open_rights(settings_.service.state_dir)) {
            log_.warn("rights_too_open", {{"what", right}, {"repair", db::repair_command}});
        }
        left_ = std::move(left);
        // An older program that could not hand over keeps running, and sends.
        if (auto opened = open_store(!outcome.upgrade); !opened) {
            return opened;
        }
        note_what_was_left(outcome);
        auto quiet = quiet_hours(settings_.quiet_hours);
        if (!quiet) {
            return std::unexpected(std::move(quiet.error()));
        }
        quiet_ = *std::move(quiet);
        auto rack = Rack::make(
            settings_,
            {*store_, codec_gate_, links_, events_, stats_, clock_, random_, errors_, log_,
             [this](const auto&) { return std::make_unique<serial::SerialSource>(clock_); },
             power_of, &guard_, [this] { return box_conditions(); }, *store_, &*store_, &quiet_,
             &*store_},
            std::move(left_.lines), left_.learned);
        if (!rack) {
            return std::unexpected(std::move(rack.error()));
        }
        rack_ = std::move(*rack);
        if (store_->reads_only()) {
            rack_->stay_down("storage", NoOrders::why().context);
        }
        note_what_goes_on(outcome);
        outcome_ = std::move(outcome);
        return {};
    }

    Result<> begin() {
        intake_.emplace(intake_settings(settings_, quiet_), *store_, clock_, &rack_->admission());
        engine_.emplace(triggers_, trigger_settings(settings_, random_),
                        trigger::EngineParts{*store_, *intake_, loop_, clock_, log_,
                                             [this](SteadyTime at) { wake_engine(at); }});
        if (!store_->reads_only()) {
            wake_engine(clock_.steady());
        }
        upkeep_link_.to = nullptr;
        front_ends_.emplace(notify::FrontEndSettings{.disconnect = settings_.clients.disconnect,
                                                     .heartbeat = settings_.clients.heartbeat},
                            *store_, clock_);
        front_ends_->on_deadline([this](SteadyTime deadline) { look_at_clients_at(deadline); });
        front_ends_->adopt(left_.away);
        const api::ApiSettings calls = api_settings(settings_, log_);
        const bool sends = !store_->reads_only();
        ports::LineOrders& orders = sends ? static_cast<ports::LineOrders&>(*rack_) : no_orders_;
        api_.emplace(
            api::ApiParts{*intake_, *store_, rack_->view(), orders, events_, stats_, loop_, clock_,
                          errors_, *store_, *store_, *store_, *front_ends_, &*engine_,
                          &upkeep_link_, sends ? &rack_->self_sms_orders() : nullptr},
            calls);
        server_.emplace(
            net::HttpServerSettings{.socket_path = settings_.service.socket,
                                    .socket_mode = settings_.service.socket_mode.bits,
                                    .socket_group = local_group("smsrack-api"),
                                    .places = places_of(settings_.service),
                                    .memory_bytes = memory_bytes_of(settings_.service),
                                    .is_privileged =
                                        [rules = calls.access](const wire::Peer& peer) {
                                            const auto caller = api::caller_of(&peer, rules);
                                            return caller && caller->may(api::Role::admin);
                                        }},
            net::HttpServerParts{loop_, *api_, stats_, clock_, log_});
        note_pause();
        availability_.emplace(
            settings_.queue.capacity, stats_,
            left_.held_since == SteadyTime{} ? clock_.steady() : left_.held_since);
        upkeep_.emplace(UpkeepParts{loop_, *rack_, *server_, clock_, log_, settings_, config_file_,
                                    config_warnings_},
                        std::move(outcome_), [this](Ending ending) {
                            ending_ = std::move(ending);
                            loop_.stop();
                        });
        upkeep_link_.to = &*upkeep_;
        if (auto listening = server_->adopt(clients_left()); !listening) {
            return listening;
        }
        rack_->start();
        if (sends) {
            hot_plug_.emplace(
                loop_, ports_of(settings_), [this](std::size_t line) { rack_->port_changed(line); },
                log_);
            ticks_.emplace(TickSettings{.messages_keep = settings_.messages.keep,
                                        .inbox_keep = settings_.inbox.keep,
                                        .messages_anonymise = settings_.messages.anonymise,
                                        .inbox_anonymise = settings_.inbox.anonymise},
                           loop_, *store_, clock_);
        }
        watch();
        move(LifeEvent::listening);
        systemd_.ready();
        log_.info("ready", {{"version", version},
                            {"socket", settings_.service.socket},
                            {"modems", settings_.modems.size()},
                            {"taken_over", rack_->adopted()}});
        return {};
    }

    Ending run() {
        loop_.run();
        ending_held_since_ = ending_.held_since;
        if (!ending_.for_good()) {  // from there on it is the next run's time
            availability_->look(rack_->view().status(), ending_held_since_);
        }
        return std::move(ending_);
    }

    /// Order as in end(); but the lines keep what they have, and the store is left to the next one.
    HandOver leave() {
        HandOver left{.version = std::string(version),
                      .held_since = ending_held_since_,
                      .store_closed = !store_->reads_only()};
        watches_.clear();
        left.away = front_ends_->away();
        close_front_ends();
        hot_plug_.reset();
        ticks_.reset();
        engine_watch_.reset();
        rack_->stop();
        rack_->settle(
            [this] {
                codec_gate_.close();
                codec_pool_.reset();
            },
            [this] {
                store_worker_->stop();
                store_->leave_to_next();
            });
        left.lines = rack_->leave();
        left.learned = rack_->learned();
        net::ServerCarried server = server_->leave();
        left.listener = kept_listener_.get() >= 0 ? std::move(kept_listener_)
                                                  : serial::OwnedFd(server.listener);
        left.owns_socket_file = server.owns_file;
        for (net::ServerCarried::Client& client : server.clients) {
            left.clients.push_back({serial::OwnedFd(client.fd), std::move(client.session)});
        }
        left.lock = serial::OwnedFd(store_->duplicate_lock());
        return left;
    }

private:
    /// The attempts of lines that are gone on with stay open.
    Result<> open_store(bool may_read_only) {
        db::SqliteStoreSettings how = store_settings(settings_);
        how.may_read_only = may_read_only;
        how.taken_over = {.lock = left_.lock.release(), .closed_well = left_.store_closed};
        for (const LineHandOver& line : left_.lines) {
            if (line.line.in_hand && is_configured(settings_, line)) {
                how.taken_over.in_hand.push_back(line.line.in_hand->attempt);
            }
        }
        auto store = db::SqliteStore::open(
            std::move(how),
            {rules_, links_, *readers_, store_waiter_, clock_, log_, &stats_, &guard_});
        if (!store) {
            return std::unexpected(std::move(store.error()));
        }
        store_ = std::move(*store);
        if (guard_.waits()) {
            log_.error("clock_not_believed", {{"newest_row", time_text(guard_.wall())}});
            store_->post(ports::KeepEvent{{.at = guard_.wall(),
                                           .type = EventType::service_notice,
                                           .detail = "clock_not_believed"}});
        }
        events_.starts_after(store_->opened_at());
        store_worker_.emplace("store-w", store_->writer(), store_waiter_, clock_);
        store_worker_->start();
        return {};
    }

    /// The engine's next step, not later than this.
    void wake_engine(SteadyTime at) {
        if (engine_watch_ && engine_at_ <= at) {
            return;
        }
        engine_at_ = at;
        const auto wait = std::max(SteadyTime::duration::zero(), at - clock_.steady());
        engine_watch_ = loop_.after(std::chrono::ceil<std::chrono::milliseconds>(wait),
                                    [this] { step_engine(); });
    }

    void step_engine() {
        const auto ended = std::move(engine_watch_);  // it is this call's
        const SteadyTime next = engine_->step(clock_.steady());
        if (next != never) {
            wake_engine(next);
        }
    }

    /// Of an upgrade, as far as it is known before the lines are made.
    void note_what_was_left(ports::UpkeepOutcome& outcome) const {
        if (outcome.upgrade && *outcome.upgrade) {
            ports::UpgradeReport& report = **outcome.upgrade;
            report.from = left_.version;
            report.to = version;
            report.pid = ::getpid();
            report.clients = left_.clients.size();
            report.in_hand = static_cast<std::size_t>(std::ranges::count_if(
                left_.lines,
                [](const LineHandOver& line) { return line.line.in_hand.has_value(); }));
        }
    }

    void note_what_goes_on(ports::UpkeepOutcome& outcome) const {
        if (outcome.upgrade && *outcome.upgrade) {
            (*outcome.upgrade)->lines = rack_->adopted();
            (*outcome.upgrade)->lines_anew = settings_.modems.size() - rack_->adopted();
        }
    }

    void note_pause() {
        if (left_.held_since == SteadyTime{}) {
            return;
        }
        const auto pause =
            std::chrono::ceil<std::chrono::milliseconds>(clock_.steady() - left_.held_since);
        if (outcome_.upgrade && *outcome_.upgrade) {
            (*outcome_.upgrade)->pause = pause;
        }
        log_.info("taken_over", {{"from", left_.version},
                                 {"lines", rack_->adopted()},
                                 {"clients", left_.clients.size()},
                                 {"pause_ms", pause.count()}});
    }

    net::ServerCarried clients_left() {
        net::ServerCarried server{.listener = left_.listener.release(),
                                  .owns_file = left_.owns_socket_file};
        for (ClientHandOver& client : left_.clients) {
            server.clients.push_back({client.fd.release(), std::move(client.session)});
        }
        left_ = {};
        return server;
    }

    void watch() {
        for (const int signal_number : {SIGTERM, SIGINT}) {
            watches_.push_back(loop_.on_signal(signal_number, [this] { stop_asked(); }));
        }
        watches_.push_back(loop_.on_signal(SIGHUP, [this] { reload(); }));
        std::vector<const Worker*> workers =
            store_->reads_only() ? std::vector<const Worker*>() : rack_->workers();
        workers.push_back(&*store_worker_);
        health_.emplace(
            std::move(workers), [this] { return rack_->starves_since(); }, log_);
        watches_.push_back(
            loop_.every(systemd_.watchdog_period().value_or(health_period), [this] { feed(); }));
        watches_.push_back(loop_.every(look_period, [this] { look(); }));
        watches_.push_back(loop_.every(LimitedLog::window, [this] { log_.say_left_out(); }));
        watches_.push_back(loop_.every(MemoryAtRest::look_period, [this] { memory_.look(); }));
    }

    /// Looked at without systemd too: the log names the late thread.
    void feed() {
        if (health_->check(clock_.steady())) {
            systemd_.alive();
        }
    }

    /// What the rack does not see by itself.
    std::vector<ports::Condition> box_conditions() const {
        std::vector<ports::Condition> conditions =
            health_ ? health_->late() : std::vector<ports::Condition>();
        const std::string& folder = settings_.service.state_dir;
        const auto room = db::disk_room(folder);
        if (auto disk = room ? ports::judge_disk(*room, folder) : std::nullopt) {
            conditions.push_back(*std::move(disk));
        }
        if (!store_->damaged().empty()) {
            const std::string file = store_->damaged().string();
            conditions.push_back(
                {.kind = ports::ConditionKind::database_set_aside,
                 .subject = "database",
                 .text = fmt::format(
                     "the database was damaged and is now {}; a new one was created", file),
                 .advice = fmt::format("`smsrack db check {}` says what is damaged; messages in it "
                                       "are not sent. This stays until the service is "
                                       "restarted",
                                       file)});
        }
        if (!config_warnings_.empty()) {
            conditions.push_back(host::condition_of(config_warnings_, config_file_));
        }
        return conditions;
    }

    /// Notices what begins and ends, also where no client asks.
    void look() {
        if (store_->reads_only()) {
            look_for_room();
        } else if (store_->trouble() || clock_.steady() - looked_after_ >= idle_write_period) {
            looked_after_ = clock_.steady();
            store_->look_after();
        }
        availability_->look(rack_->view().status(), clock_.steady());
    }

    /// A run that only reads ends when the disk can be written: the next one begins as after a start.
    void look_for_room() {
        if (clock_.steady() < try_disk_at_ || std::exchange(tries_disk_, true)) {
            return;
        }
        readers_->post([this, folder = settings_.service.state_dir] {
            const bool works = db::try_disk(folder).has_value();
            loop_.post([this, works] {
                tries_disk_ = false;
                if (works) {
                    log_.info("store_can_write");
                    upkeep_->begin_anew([this](const Result<ports::ReloadReport>& report) {
                        if (!report) {
                            try_disk_at_ = clock_.steady() + begin_again_after;
                        }
                    });
                }
            });
        });
    }

    /// One timer for all clients, and none where no client has a deadline.
    void look_at_clients_at(SteadyTime deadline) {
        if (deadline == never) {
            clients_watch_.reset();
            return;
        }
        const auto delay = std::max<SteadyTime::duration>(deadline - clock_.steady(), 0s);
        clients_watch_ = loop_.after(std::chrono::ceil<std::chrono::milliseconds>(delay), [this] {
            const net::LoopWatchPtr over = std::move(clients_watch_);  // step() may set it again
            (void)front_ends_->step(clock_.steady());
        });
    }

    /// SIGHUP: what was applied is in the log.
    void reload() {
        upkeep_->reload([this](const Result<ports::ReloadReport>& report) {
            if (report) {
                log_reload(log_, *report);
            }
        });
    }

    bool move(LifeEvent event) {
        const auto to = next(life_rules, state_, event);
        if (to) {
            state_ = *to;
        }
        return to.has_value();
    }

    /// No new work; what is in a modem's hand ends, up to a bound. A second signal ends at once.
    void stop_asked() {
        if (ending_.for_good() && move(LifeEvent::stop_again)) {
            log_.warn("stopping_at_once");
            loop_.stop();
            return;
        }
        if (!ending_.for_good()) {  // it is another one's to stop
            ending_.stop_asked = true;
            return;
        }
        if (!move(LifeEvent::stop_asked)) {
            return;
        }
        upkeep_->call_off();
        systemd_.stopping();
        log_.info("draining");
        rack_->stop_giving();
        engine_->close();
        if (systemd_.is_there()) {
            kept_listener_ = serial::OwnedFd(server_->keep_listener());
        }
        rack_->hold(rack_->line_names(), true);
        server_->drain([this] { answered_ = true; });
        const auto deadline = clock_.steady() + settings_.defaults.submit_timeout + drain_margin;
        watches_.push_back(loop_.every(5ms, [this, deadline] {
            if ((answered_ && rack_->holds_nothing() && may_be_left() &&
                 move(LifeEvent::drained)) ||
                (clock_.steady() >= deadline && move(LifeEvent::time_over))) {
                ending_.keeps_descriptors = systemd_.is_there() && answered_;
                loop_.stop();
            }
        }));
    }

    /// Commands under way have ended, and no modem waits for a confirmation of what comes in.
    [[nodiscard]] bool may_be_left() const {
        return rack_->unsettled(rack_->line_names(), line::ModemLine::Want::no_loss).empty();
    }

    /// Objects that end after the store do not call it any more.
    void close_front_ends() {
        clients_watch_.reset();
        if (front_ends_) {
            front_ends_->close();
        }
    }

    /// In reverse: no new connection is accepted, the lines end, then the store writes what it
    /// still holds.
    void end() {
        watches_.clear();
        close_front_ends();
        hot_plug_.reset();
        ticks_.reset();
        engine_watch_.reset();
        if (rack_) {
            rack_->stop();
        }
        codec_pool_.reset();  // runs what was posted
        readers_.reset();
        if (store_worker_) {
            store_worker_->stop();
        }
        store_.reset();
        log_.info(ending_held_since_ == SteadyTime{} ? "stopped" : "left");
    }

    const config::Settings settings_;
    const ErrorTable errors_;
    const std::vector<trigger::TriggerSettings> triggers_;
    const config::ConfigProblems config_warnings_;
    const std::string config_file_;
    LimitedLog& log_;
    stats::Stats& stats_;
    GuardedClock guard_;
    const Clock& clock_ = guard_;
    SystemRandom random_;
    net::Loop loop_;
    CondvarWaiter store_waiter_;
    std::unique_ptr<ThreadPool> readers_;
    std::unique_ptr<ThreadPool> codec_pool_;
    GatedExecutor codec_gate_;
    const rules::OptOutWords opt_out_words_{settings_.opt_out.words, settings_.opt_out.start_words};
    rules::QuietHours quiet_;
    const ports::StoreRules rules_{
        .errors = &errors_,
        .choose_report = results::choose_report,
        .judge_segment = results::judge_segment,
        .judge_report = results::judge_report,
        .choose_assembly = results::choose_assembly,
        .join_segments = pdu::join_segments,
        .wish_of = [this](std::string_view text) { return opt_out_words_.wish_of(text); },
        .opt_out = opt_out_rules(settings_)};
    notify::EventStream events_;
    RackLinks links_;
    SystemdNotify systemd_;
    std::unique_ptr<db::SqliteStore> store_;
    std::optional<Worker> store_worker_;
    std::unique_ptr<Rack> rack_;
    std::optional<intake::Intake> intake_;
    std::optional<trigger::Engine> engine_;
    net::LoopWatchPtr engine_watch_ = {};
    SteadyTime engine_at_ = {};
    std::optional<notify::FrontEnds> front_ends_;
    net::LoopWatchPtr clients_watch_;
    UpkeepLink upkeep_link_;
    NoOrders no_orders_;
    SteadyTime looked_after_ = {};
    bool tries_disk_ = false;
    SteadyTime try_disk_at_ = {};
    std::optional<api::Api> api_;
    std::optional<net::HttpServer> server_;
    std::optional<ServiceUpkeep> upkeep_;
    std::optional<HotPlug> hot_plug_;
    std::optional<Ticks> ticks_;
    std::optional<Health> health_;
    std::optional<dispatch::Availability> availability_;
    MemoryAtRest memory_{this_process()};
    std::vector<net::LoopWatchPtr> watches_;
    LifeState state_ = LifeState::starting;
    bool answered_ = false;
    HandOver left_ = {};  // by the run before, until it is gone on with
    ports::UpkeepOutcome outcome_ = {};
    Ending ending_ = {};
    SteadyTime ending_held_since_ = {};
    serial::OwnedFd kept_listener_ = {};  // for the next start, while this run stops
};

Service::Service(Configuration configuration, std::string config_file, stats::Stats& stats,
                 LimitedLog& log, const Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(configuration), std::move(config_file), stats, log,
                                   clock)) {}

Service::~Service() = default;

Result<> Service::prepare(HandOver left, ports::UpkeepOutcome outcome) {
    return impl_->prepare(std::move(left), std::move(outcome));
}

Result<> Service::begin() {
    return impl_->begin();
}

Ending Service::run() {
    return impl_->run();
}

HandOver Service::leave() {
    return impl_->leave();
}

}  // namespace smsrack::host
