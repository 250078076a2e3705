#include "firmware-host/service.hpp"

#include "db/sqlite_store.hpp"
#include "drivers/serial/serial_source.hpp"
#include "firmware-host/config_file.hpp"
#include "firmware-host/error_table_file.hpp"
#include "firmware-host/health.hpp"
#include "firmware-host/hot_plug.hpp"
#include "firmware-host/lifecycle_states.hpp"
#include "firmware-host/net/http_server.hpp"
#include "firmware-host/net/loop.hpp"
#include "firmware-host/rack.hpp"
#include "firmware-host/rack_links.hpp"
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
#include "src/intake/intake.hpp"
#include "src/pdu/reassembler.hpp"
#include "src/results/report_matcher.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <grp.h>
#include <optional>
#include <set>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

using namespace std::chrono_literals;

constexpr auto health_period = 10s;  // where no watchdog says how often
constexpr auto drain_margin =
    10s;  // beside submit_timeout: the modem's answer, its commit, the last responses

db::SqliteStoreSettings store_settings(const config::Settings& settings) {
    db::SqliteStoreSettings store;
    store.path = std::filesystem::path(settings.service.state_dir) / "smsrack.db";
    store.capacity = settings.queue.capacity;
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

intake::IntakeSettings intake_settings(const config::Settings& settings) {
    intake::IntakeSettings intake{
        .plan = {.country = settings.defaults.country, .trunk = settings.defaults.trunk},
        .default_level = static_cast<Level>(settings.priority.default_level),
        .default_report = settings.defaults.report,
        .default_ttl = settings.queue.ttl,
        .segments_max = static_cast<std::size_t>(settings.queue.segments_max),
        .duplicate_window = settings.dedup.window,
        .default_group = settings.defaults.group};
    for (const config::RouteSettings& route : settings.routes) {
        intake.routes.push_back({route.prefix, route.group});
    }
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

api::ApiSettings api_settings(const config::Settings& settings) {
    api::ApiSettings api{
        .version = std::string(version),
        .plan = {.country = settings.defaults.country, .trunk = settings.defaults.trunk},
        .access = {.own_uid = ::geteuid()}};
    api.uncertain_policy = config::Words<config::UncertainPolicy>::names.at(
        static_cast<std::size_t>(settings.queue.uncertain));
    api.ageing = {.on = settings.priority.ageing, .max_wait = settings.priority.max_wait};
    std::ranges::transform(settings.priority.sla, api.sla_ms.begin(),
                           [](auto sla) { return sla.count(); });
    if (const group* admins =
            ::getgrnam("smsrack-admin")) {  // NOLINT(concurrency-mt-unsafe): before any thread
        api.access.admin_group = admins->gr_gid;
    }
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

}  // namespace

class Service::Impl {
public:
    Impl(config::Settings settings, ErrorTable errors, std::string config_file, Log& log,
         const Clock& clock)
        : settings_(std::move(settings)),
          errors_(std::move(errors)),
          config_file_(std::move(config_file)),
          log_(log),
          guard_(clock, settings_.service.clock_wait),
          readers_(std::make_unique<ThreadPool>(
              ThreadPoolSettings{.name = "store-r", .threads_max = 4})),
          codec_pool_(
              std::make_unique<ThreadPool>(ThreadPoolSettings{.name = "codec", .threads_max = 2})),
          events_(loop_),
          systemd_(systemd_of_environment()) {}

    ~Impl() { end(); }

    Result<> start() {
        if (auto made = make_state_dir(settings_.service.state_dir); !made) {
            return made;
        }
        if (auto opened = open_store(); !opened) {
            return opened;
        }
        auto rack = Rack::make(
            settings_,
            {*store_, *codec_pool_, links_, events_, stats_, clock_, random_, errors_, log_,
             [this](const auto&) { return std::make_unique<serial::SerialSource>(clock_); },
             power_of, &guard_, warnings()});
        if (!rack) {
            return std::unexpected(std::move(rack.error()));
        }
        rack_ = std::move(*rack);
        intake_.emplace(intake_settings(settings_), *store_, clock_, &rack_->admission());
        api_.emplace(api::ApiParts{*intake_, *store_, rack_->view(), *rack_, events_, stats_, loop_,
                                   clock_, errors_},
                     api_settings(settings_));
        server_.emplace(net::HttpServerSettings{.socket_path = settings_.service.socket,
                                                .socket_mode = settings_.service.socket_mode.bits},
                        net::HttpServerParts{loop_, *api_, stats_, clock_, log_});
        if (auto listening = server_->listen(); !listening) {
            return listening;
        }
        rack_->start();
        hot_plug_.emplace(
            loop_, ports_of(settings_), [this](std::size_t line) { rack_->port_changed(line); },
            log_);
        ticks_.emplace(TickSettings{.messages_keep = settings_.messages.keep,
                                    .inbox_keep = settings_.inbox.keep,
                                    .messages_anonymise = settings_.messages.anonymise,
                                    .inbox_anonymise = settings_.inbox.anonymise},
                       loop_, *store_, clock_);
        watch();
        move(LifeEvent::listening);
        systemd_.ready();
        log_.info("ready", {{"version", version},
                            {"socket", settings_.service.socket},
                            {"modems", settings_.modems.size()}});
        return {};
    }

    void run() { loop_.run(); }

private:
    Result<> open_store() {
        auto store = db::SqliteStore::open(
            store_settings(settings_),
            {rules_, links_, *readers_, store_waiter_, clock_, log_, &stats_, &guard_});
        if (!store) {
            return std::unexpected(std::move(store.error()));
        }
        store_ = std::move(*store);
        if (guard_.waits()) {
            log_.error("clock_not_believed", {{"newest_row", time_text(guard_.wall())}});
            store_->keep_event({.at = guard_.wall(),
                                .type = EventType::service_notice,
                                .detail = "clock_not_believed"});
        }
        events_.starts_after(store_->opened_at());
        store_worker_.emplace("store-w", store_->writer(), store_waiter_, clock_);
        store_worker_->start();
        return {};
    }

    void watch() {
        for (const int signal_number : {SIGTERM, SIGINT}) {
            watches_.push_back(loop_.on_signal(signal_number, [this] { stop_asked(); }));
        }
        watches_.push_back(loop_.on_signal(SIGHUP, [this] { check_config(); }));
        std::vector<const Worker*> workers = rack_->workers();
        workers.push_back(&*store_worker_);
        health_.emplace(
            std::move(workers), [this] { return rack_->starves_since(); }, log_);
        watches_.push_back(
            loop_.every(systemd_.watchdog_period().value_or(health_period), [this] { feed(); }));
    }

    /// Looked at without systemd too: the log names who is late.
    void feed() {
        if (health_->check(clock_.steady())) {
            systemd_.alive();
        }
    }

    std::vector<ports::Warning> warnings() const {
        if (store_->damaged().empty()) {
            return {};
        }
        return {{.word = "database_set_aside",
                 .detail = "the database was damaged and is now " + store_->damaged().string() +
                           "; a new one was begun"}};
    }

    /// SIGHUP: a bad file is named and changes nothing; a good one takes effect at the next start.
    void check_config() {
        const auto text = read_config(config_file_);
        if (!text) {
            log_.error("config_unreadable", {{"file", config_file_}});
            return;
        }
        const auto settings = config::load_settings(*text, config_file_);
        if (!settings) {
            log_.error("config_refused", {{"problems", settings.error().text()}});
            return;
        }
        if (const auto errors = read_error_table(settings->service.error_table); !errors) {
            log_.error("config_refused", {{"problems", errors.error()}});
            return;
        }
        log_.warn("config_waits_for_restart", {{"file", config_file_}});
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
        if (move(LifeEvent::stop_again)) {
            log_.warn("stopping_at_once");
            loop_.stop();
            return;
        }
        if (!move(LifeEvent::stop_asked)) {
            return;
        }
        systemd_.stopping();
        log_.info("draining");
        rack_->stop_giving();
        server_->drain([this] { answered_ = true; });
        const auto deadline = clock_.steady() + settings_.defaults.submit_timeout + drain_margin;
        watches_.push_back(loop_.every(5ms, [this, deadline] {
            if ((answered_ && rack_->holds_nothing() && move(LifeEvent::drained)) ||
                (clock_.steady() >= deadline && move(LifeEvent::time_over))) {
                loop_.stop();
            }
        }));
    }

    /// In reverse: nobody new comes in, the lines end, then the store writes what it still holds.
    void end() {
        watches_.clear();
        hot_plug_.reset();
        ticks_.reset();
        if (rack_) {
            rack_->stop();
        }
        codec_pool_.reset();  // runs what was posted
        readers_.reset();
        if (store_worker_) {
            store_worker_->stop();
        }
        store_.reset();
        log_.info("stopped");
    }

    const config::Settings settings_;
    const ErrorTable errors_;
    const std::string config_file_;
    Log& log_;
    GuardedClock guard_;
    const Clock& clock_ = guard_;
    SystemRandom random_;
    stats::Stats stats_;
    net::Loop loop_;
    CondvarWaiter store_waiter_;
    std::unique_ptr<ThreadPool> readers_;
    std::unique_ptr<ThreadPool> codec_pool_;
    const ports::StoreRules rules_{.errors = &errors_,
                                   .choose_report = results::choose_report,
                                   .join_segments = pdu::join_segments};
    notify::EventStream events_;
    RackLinks links_;
    SystemdNotify systemd_;
    std::unique_ptr<db::SqliteStore> store_;
    std::optional<Worker> store_worker_;
    std::unique_ptr<Rack> rack_;
    std::optional<intake::Intake> intake_;
    std::optional<api::Api> api_;
    std::optional<net::HttpServer> server_;
    std::optional<HotPlug> hot_plug_;
    std::optional<Ticks> ticks_;
    std::optional<Health> health_;
    std::vector<net::LoopWatchPtr> watches_;
    LifeState state_ = LifeState::starting;
    bool answered_ = false;
};

Service::Service(config::Settings settings, ErrorTable errors, std::string config_file, Log& log,
                 const Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(settings), std::move(errors), std::move(config_file),
                                   log, clock)) {}

Service::~Service() = default;

Result<> Service::start() {
    return impl_->start();
}

void Service::run() {
    impl_->run();
}

}  // namespace smsrack::host
