#include "firmware-host/service.hpp"

#include "db/engine/open_rights.hpp"
#include "drivers/serial/serial_source.hpp"
#include "firmware-host/rule_settings.hpp"
#include "firmware-host/service_settings.hpp"
#include "firmware-host/version.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

using namespace std::chrono_literals;

// In addition to submit_timeout: the modem's answer, its commit, the last responses.
constexpr auto drain_margin = 10s;

constexpr const char* only_reads =
    "the disk could not be written when the service started; the modems start as soon as it can";

/// `others`: they must be able to reach it, as where a socket outside of /run/smsrack is wanted.
Result<> make_folder(const char* what, const std::filesystem::path& folder, bool others) {
    std::error_code error;
    if (std::filesystem::create_directories(folder, error) && others) {
        std::filesystem::permissions(folder, std::filesystem::perms(0755), error);
    }
    if (error) {
        return fail(Errc::not_allowed,
                    fmt::format("{} {}: {}", what, folder.string(), error.message()),
                    error.value());
    }
    return {};
}

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

Service::Service(Configuration configuration, std::string config_file, stats::Stats& stats,
                 LimitedLog& log, const LogTail& log_tail, const Clock& clock)
    : run_(std::move(configuration), std::move(config_file), stats, log, log_tail, clock),
      codec_pool_(run_.settings.service.codec_threads),
      address_(run_.loop, stats, run_.clock, log),
      store_(run_) {}

/// In reverse: no new connection is accepted, the lines end, then the store writes what it still
/// holds.
Service::~Service() {
    end_timers();
    if (rack_) {
        rack_->stop();
    }
    codec_pool_.close();
    store_.close();
    run_.log.info(ending_.held_since == SteadyTime{} ? "stopped" : "left");
}

Result<> Service::prepare(HandOver left, ports::UpkeepOutcome outcome) {
    if (auto made = make_folder("state_dir", run_.settings.service.state_dir, false); !made) {
        return made;
    }
    const std::filesystem::path socket = run_.settings.service.socket;
    if (auto made = make_folder("socket folder", socket.parent_path(), true); !made) {
        return made;
    }
    for (const std::string& right : db::open_rights(run_.settings.service.state_dir)) {
        run_.log.warn("rights_too_open", {{"what", right}, {"repair", db::repair_command}});
    }
    left_ = std::move(left);
    outcome_ = std::move(outcome);
    // An older program that could not hand over keeps running, and sends.
    const bool may_read_only = !outcome_.upgrade;
    auto fleet = FleetSide::make(run_);
    if (!fleet) {
        return std::unexpected(std::move(fleet.error()));
    }
    fleet_ = *std::move(fleet);
    if (fleet_) {
        address_.fleet_moved = [fleet = fleet_.get()](bool stop) { fleet->wake(stop); };
    }
    if (auto opened = store_.open(left_, may_read_only, address_, fleet_.get()); !opened) {
        return opened;
    }
    return make_rack();
}

Result<> Service::make_rack() {
    auto quiet = quiet_hours(run_.settings.quiet_hours);
    if (!quiet) {
        return std::unexpected(std::move(quiet.error()));
    }
    const auto in_hand = std::ranges::count_if(
        left_.lines, [](const LineHandOver& line) { return line.line.in_hand.has_value(); });
    auto rack = Rack::make(
        run_.settings,
        {*store_, codec_pool_, address_, run_.stats, run_.clock, run_.random,
         run_.configuration.errors, run_.log,
         [this](const auto&) { return std::make_unique<serial::SerialSource>(run_.clock); },
         power_of, [this] { return conditions(); }, *std::move(quiet), fleet_.get()},
        std::move(left_.lines), left_.learned);
    if (!rack) {
        return std::unexpected(std::move(rack.error()));
    }
    rack_ = *std::move(rack);
    if (store_->reads_only()) {
        rack_->stay_down(only_reads);
    }
    if (fleet_) {
        fleet_->open(*store_, *rack_);
    }
    if (outcome_.upgrade && *outcome_.upgrade) {
        ports::UpgradeReport& report = **outcome_.upgrade;
        report.from = left_.version;
        report.to = version;
        report.pid = ::getpid();
        report.clients = left_.clients.size();
        report.in_hand = static_cast<std::size_t>(in_hand);
        report.lines = rack_->adopted();
        report.lines_anew = run_.settings.modems.size() - rack_->adopted();
    }
    return {};
}

/// What the rack does not see by itself; asked for by any thread.
std::vector<ports::Condition> Service::conditions() const {
    std::vector<ports::Condition> found = webhook_board_.conditions();
    if (watch_) {
        std::ranges::move(watch_->conditions(), std::back_inserter(found));
    }
    return found;
}

Result<> Service::begin() {
    note_pause();
    upkeep_.emplace(run_, *rack_, clients_, std::move(outcome_), [this](Ending ending) {
        ending_ = std::move(ending);
        run_.loop.stop();
    });
    clients_.emplace(run_, *store_, store_.readers(), *rack_, address_.events, *upkeep_,
                     webhook_board_, fleet_ ? &fleet_->door() : nullptr, left_.away);
    if (auto listening = clients_->listen(left_); !listening) {
        return listening;
    }
    rack_->start();
    if (fleet_ && !store_->reads_only()) {
        fleet_->start(*upkeep_, clients_->api());
    }
    watch_.emplace(run_, store_, *rack_, *upkeep_, fleet_.get(),
                   left_.held_since == SteadyTime{} ? run_.clock.steady() : left_.held_since);
    left_ = {};
    for (const int signal_number : {SIGTERM, SIGINT}) {
        watches_.push_back(run_.loop.on_signal(signal_number, [this] { stop_asked(); }));
    }
    watches_.push_back(run_.loop.on_signal(SIGHUP, [this] {
        upkeep_->reload([this](const Result<ports::ReloadReport>& report) {
            if (report) {  // what was refused is in the log
                log_reload(run_.log, *report);
            }
        });
    }));
    move(LifeEvent::listening);
    run_.systemd.ready();
    run_.log.info("ready", {{"version", version},
                            {"socket", run_.settings.service.socket},
                            {"modems", run_.settings.modems.size()},
                            {"taken_over", rack_->adopted()}});
    return {};
}

void Service::note_pause() {
    if (left_.held_since == SteadyTime{}) {
        return;
    }
    const auto pause =
        std::chrono::ceil<std::chrono::milliseconds>(run_.clock.steady() - left_.held_since);
    if (outcome_.upgrade && *outcome_.upgrade) {
        (*outcome_.upgrade)->pause = pause;
    }
    run_.log.info("taken_over", {{"from", left_.version},
                                 {"lines", rack_->adopted()},
                                 {"clients", left_.clients.size()},
                                 {"pause_ms", pause.count()}});
}

Ending Service::run() {
    run_.loop.run();
    const SteadyTime held_since = ending_.held_since;
    if (!ending_.for_good()) {  // from there on it is the next run's time
        watch_->look_at_availability(held_since);
    }
    Ending ending = std::exchange(ending_, {});
    ending_.held_since = held_since;
    return ending;
}

/// Order as at the end; but the lines keep what they have, and the store is left to the next one.
HandOver Service::leave() {
    HandOver left{.version = std::string(version),
                  .held_since = ending_.held_since,
                  .store_closed = !store_->reads_only()};
    left.away = clients_->away();
    end_timers();
    rack_->stop();
    rack_->settle([this] { codec_pool_.close(); }, [this] { store_.leave(); });
    left.lines = rack_->leave();
    left.learned = rack_->learned();
    clients_->leave(left);
    if (drain_.listener.get() >= 0) {
        left.listener = std::move(drain_.listener);
    }
    left.lock = serial::OwnedFd(store_->duplicate_lock());
    return left;
}

/// Of the loop, which does not run any more; the clients' objects call the store no more. The watch stays until the store's readers
/// have ended, since one of them may be asking for conditions().
void Service::end_timers() {
    if (watch_) {
        watch_->stop();
    }
    watches_.clear();
    if (clients_) {
        clients_->close();
    }
    if (fleet_) {
        fleet_->close();
    }
}

bool Service::move(LifeEvent event) {
    const auto to = next(life_rules, drain_.state, event);
    if (to) {
        drain_.state = *to;
    }
    return to.has_value();
}

/// No new work; what is in a modem's hand ends, up to a bound. A second signal ends at once.
void Service::stop_asked() {
    if (!ending_.for_good()) {  // it is another one's to stop
        ending_.stop_asked = true;
        return;
    }
    if (move(LifeEvent::stop_again)) {
        run_.log.warn("stopping_at_once");
        return run_.loop.stop();
    }
    if (!move(LifeEvent::stop_asked)) {
        return;
    }
    upkeep_->call_off();
    run_.systemd.stopping();
    run_.log.info("draining");
    rack_->stop_giving();
    clients_->close_triggers();
    clients_->end_questions();
    if (run_.systemd.is_there()) {
        drain_.listener = serial::OwnedFd(clients_->server().keep_listener());
    }
    rack_->hold_to_end(rack_->line_names());
    clients_->server().drain([this] { drain_.answered = true; });
    const auto deadline =
        run_.clock.steady() + run_.settings.defaults.submit_timeout + drain_margin;
    watches_.push_back(run_.loop.every(5ms, [this, deadline] {
        if ((is_drained() && move(LifeEvent::drained)) ||
            (run_.clock.steady() >= deadline && move(LifeEvent::time_over))) {
            ending_.keeps_descriptors = run_.systemd.is_there() && drain_.answered;
            run_.loop.stop();
        }
    }));
}

/// Commands under way have ended, and no modem waits for a confirmation of what comes in.
bool Service::is_drained() const {
    return drain_.answered && rack_->holds_nothing() &&
           rack_->unsettled(rack_->line_names(), line::LineAddress::Want::no_loss).empty();
}

}  // namespace smsrack::host
