#include "firmware-host/service_upkeep.hpp"

#include "db/migrate.hpp"
#include "firmware-host/hand_over_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

using namespace std::chrono_literals;
using Want = line::ModemLine::Want;

constexpr auto look_period = 2ms;     // while lines and clients end what they are about
constexpr auto set_up_patience = 2s;  // with modems that would be set up once more
constexpr auto ending_margin = 10s;   // in addition to submit_timeout, as at a stop

int own_schema() {
    return static_cast<int>(db::migrations().size());
}

/// A file that is there now changes no setting, and yet the modem or trigger that waits for it must hear of it.
bool differ(const config::ConfigProblems& a, const config::ConfigProblems& b) {
    return !std::ranges::equal(a, b, {}, &config::ConfigProblem::message,
                               &config::ConfigProblem::message);
}

/// A file with a fault does not close a trigger that runs: it continues with what it read before.
Result<> keeps_triggers(const Configuration& wanted, const std::string& file) {
    for (std::size_t i = 0; i < wanted.triggers.size(); ++i) {
        if (!wanted.triggers[i].closed.empty()) {
            return fail(
                Errc::bad_request,
                config::problem_line(file, {.line = wanted.settings.triggers[i].source_line,
                                            .key = "trigger." + wanted.triggers[i].closed_key,
                                            .message = wanted.triggers[i].closed}));
        }
    }
    return {};
}

Result<NewConfiguration> new_configuration(const std::string& file, const config::Settings& now) {
    auto wanted = read_configuration(file);
    if (!wanted) {
        std::string lines = wanted.error().text();
        lines.pop_back();  // the last newline
        return fail(Errc::bad_request, std::move(lines));
    }
    if (auto good = keeps_triggers(*wanted, file); !good) {
        return std::unexpected(std::move(good.error()));
    }
    ReloadPlan plan = plan_reload(now, wanted->settings);
    return NewConfiguration{*std::move(wanted), std::move(plan)};
}

}  // namespace

ServiceUpkeep::ServiceUpkeep(UpkeepParts parts, ports::UpkeepOutcome outcome,
                             std::function<void(Ending)> frozen)
    : parts_(parts), outcome_(std::move(outcome)), frozen_(std::move(frozen)) {}

ServiceUpkeep::~ServiceUpkeep() = default;

bool ServiceUpkeep::move(UpkeepEvent event) {
    const auto to = next(upkeep_rules, state_, event);
    if (to) {
        state_ = *to;
        deadline_ = parts_.clock.steady() + parts_.settings.service.upgrade_limit;
    }
    return to.has_value();
}

void ServiceUpkeep::upgrade(ports::UpgradeOrder order, Refused refused) {
    if (state_ != UpkeepState::idle) {
        return refused({.code = Errc::busy, .context = "an upgrade or a reload is under way"});
    }
    auto program = TrustedProgram::open(order.binary, ::geteuid());
    if (!program) {
        parts_.log.warn("upgrade_refused", {{"why", program.error().context}});
        return refused(program.error());
    }
    auto successor = Successor::start(*program, parts_.config_file);
    if (!successor) {
        return refused({.code = Errc::conflict, .context = successor.error().context});
    }
    parts_.log.info("upgrade_begins", {{"binary", order.binary}, {"pid", (*successor)->pid()}});
    tried_for_ = {};
    order_ = std::move(order);
    refused_ = std::move(refused);
    program_ = *std::move(program);
    successor_ = *std::move(successor);
    move(UpkeepEvent::upgrade_asked);
    hello_watch_ = parts_.loop.on_readable(successor_->fd(), [this] { hello_came(); });
    look_watch_ = parts_.loop.every(look_period, [this] { look(); });
}

void ServiceUpkeep::reload(Reloaded reloaded) {
    reload(std::move(reloaded), false);
}

void ServiceUpkeep::begin_anew(Reloaded reloaded) {
    reload(std::move(reloaded), true);
}

void ServiceUpkeep::reload(Reloaded reloaded, bool if_unchanged) {
    if (state_ != UpkeepState::idle) {
        return reloaded(fail(Errc::busy, "an upgrade or a reload is under way"));
    }
    auto configuration = new_configuration(parts_.config_file, parts_.settings);
    if (!configuration) {
        for (const auto problem : std::views::split(configuration.error().context, '\n')) {
            parts_.log.error("config_refused", {{"problem", std::string_view(problem)}});
        }
        return reloaded(std::unexpected(std::move(configuration.error())));
    }
    if (!configuration->configuration.settings.service.error_table.empty()) {
        configuration->plan.applied.emplace_back("service.error_table: read again");
    }
    for (const config::TriggerSettings& trigger : configuration->configuration.settings.triggers) {
        if (trigger.topics) {
            configuration->plan.applied.push_back("trigger " + trigger.name +
                                                  ": topics: read again");
        }
        if (trigger.cells) {
            configuration->plan.applied.push_back("trigger " + trigger.name +
                                                  ": cells: read again");
        }
    }
    if (differ(configuration->configuration.warnings, parts_.warnings)) {
        configuration->plan.applied.emplace_back("files that were warned of: read again");
    }
    if (configuration->plan.applied.empty() && !if_unchanged) {
        return reloaded(
            ports::ReloadReport{.needs_restart = std::move(configuration->plan.needs_restart)});
    }
    configuration_ = *std::move(configuration);
    refused_ = [reloaded = std::move(reloaded)](const Error& error) mutable {
        reloaded(std::unexpected(error));
    };
    move(UpkeepEvent::reload_asked);
    deadline_ = parts_.clock.steady() + parts_.settings.defaults.submit_timeout + ending_margin;
    parts_.rack.hold(configuration_->plan.ending, true);
    look_watch_ = parts_.loop.every(look_period, [this] { look(); });
}

void ServiceUpkeep::call_off() {
    fail_with({.code = Errc::closed, .context = "the service is stopping"});
}

/// Back to where it was; the caller gets the reason.
void ServiceUpkeep::fail_with(Error error) {
    if (!move(UpkeepEvent::failed)) {
        return;
    }
    parts_.log.error(configuration_ ? "reload_given_up" : "upgrade_given_up",
                     {{"why", error.context}});
    let_go();
    std::exchange(refused_, nullptr)(error);
}

void ServiceUpkeep::let_go() {
    hello_watch_.reset();
    look_watch_.reset();
    trial_.reset();
    program_.reset();
    successor_.reset();
    configuration_.reset();
    if (stopper_.joinable()) {
        stopper_.join();
        threads_ended_ = false;
        parts_.rack.start();
    }
    parts_.server.hold(false);
    parts_.rack.hold(parts_.rack.line_names(), false);
}

void ServiceUpkeep::hello_came() {
    auto hello = successor_->hello();
    if (!hello) {
        return fail_with({.code = Errc::conflict, .context = std::move(hello.error().context)});
    }
    if (*hello) {
        hello_watch_.reset();
        judge(**hello);
    }
}

void ServiceUpkeep::judge(const Hello& hello) {
    const auto refuse = [this](std::string words) {
        fail_with({.code = Errc::conflict, .context = std::move(words)});
    };
    if (hello.protocol != hand_over_protocol) {
        return refuse(
            fmt::format("version {} uses hand-over protocol {}, this one {}: stop the service and "
                        "start the other version; waiting messages are kept on the disk",
                        hello.version, hello.protocol, hand_over_protocol));
    }
    if (hello.schema < own_schema()) {
        return refuse(
            fmt::format("version {} supports database schemas up to {}, and this database has "
                        "schema {}: it can't read it",
                        hello.version, hello.schema, own_schema()));
    }
    if (hello.schema == own_schema()) {
        move(UpkeepEvent::knows_database);
        return hold_lines();
    }
    if (!order_.agreed) {
        return refuse(
            fmt::format("version {} migrates the database from schema {} to {}, which this version "
                        "can't read: the only way back is a backup. Use --yes to continue",
                        hello.version, own_schema(), hello.schema));
    }
    try_migration(hello);
}

void ServiceUpkeep::try_migration(const Hello& hello) {
    move(UpkeepEvent::would_migrate);
    deadline_ = never;  // a copy takes as long as the disk needs
    parts_.log.info("migration_tried", {{"from", own_schema()}, {"to", hello.schema}});
    trial_ = std::make_unique<MigrationTrial>(
        *program_, parts_.settings.service.state_dir, parts_.loop,
        [this, began = parts_.clock.steady()](Result<> tried) {
            trial_.reset();
            tried_for_ = parts_.clock.steady() - began;
            if (!tried) {
                return fail_with(
                    {.code = Errc::conflict, .context = std::move(tried.error().context)});
            }
            move(UpkeepEvent::knows_database);
            hold_lines();
        });
}

void ServiceUpkeep::hold_lines() {
    parts_.rack.hold(parts_.rack.line_names(), true);
    patient_until_ = parts_.clock.steady() + set_up_patience;
}

void ServiceUpkeep::look() {
    switch (state_) {
        case UpkeepState::ending_lines:
            look_at_ending_lines();
            break;
        case UpkeepState::holding_lines:
            look_at_held_lines();
            break;
        case UpkeepState::stopping_threads:
            look_at_threads();
            break;
        case UpkeepState::holding_clients:
            return look_at_clients();
        case UpkeepState::asking:
            if (parts_.clock.steady() >= deadline_) {
                fail_with({.code = Errc::conflict,
                           .context = order_.binary + " did not identify itself; it was ended"});
            }
            break;
        case UpkeepState::idle:
        case UpkeepState::trying:
        case UpkeepState::frozen:
            break;
    }
}

std::string ServiceUpkeep::words_of_late(Want want) const {
    const bool ending = state_ == UpkeepState::ending_lines;
    const auto late = parts_.rack.unsettled(
        ending ? configuration_->plan.ending : parts_.rack.line_names(), want);
    return fmt::format("{}: busy with a message or an operator's command; try again",
                       fmt::join(late, ", "));
}

void ServiceUpkeep::look_at_ending_lines() {
    if (parts_.rack.unsettled(configuration_->plan.ending, Want::nothing_held).empty()) {
        move(UpkeepEvent::ready_to_hold);
        hold_lines();
    } else if (parts_.clock.steady() >= deadline_) {
        fail_with({.code = Errc::conflict, .context = words_of_late(Want::nothing_held)});
    }
}

void ServiceUpkeep::look_at_held_lines() {
    const SteadyTime now = parts_.clock.steady();
    const Want want = now < patient_until_ ? Want::all : Want::no_loss;
    if (parts_.rack.unsettled(parts_.rack.line_names(), want).empty()) {
        move(UpkeepEvent::lines_held);
        stopper_ = std::jthread([this] {
            parts_.rack.stop();
            threads_ended_ = true;
        });
    } else if (now >= deadline_) {
        fail_with({.code = Errc::conflict, .context = words_of_late(want)});
    }
}

/// A busy machine takes its time to end a thread for each line.
void ServiceUpkeep::look_at_threads() {
    if (threads_ended_) {
        move(UpkeepEvent::threads_stopped);
        held_since_ = parts_.clock.steady();
        deadline_ = held_since_ + clients_limit;
        parts_.server.hold(true);
        look_at_clients();
    } else if (parts_.clock.steady() >= deadline_) {
        fail_with(
            {.code = Errc::conflict, .context = "the modems did not stop in time; try again"});
    }
}

void ServiceUpkeep::look_at_clients() {
    if (parts_.server.is_settled()) {
        freeze();
    } else if (parts_.clock.steady() >= deadline_) {
        fail_with(
            {.code = Errc::conflict, .context = "a request was not answered in time; try again"});
    }
}

void ServiceUpkeep::freeze() {
    move(UpkeepEvent::clients_held);
    look_watch_.reset();
    frozen_({.successor = std::move(successor_),
             .configuration = std::move(configuration_),
             .held_since = held_since_,
             .tried_for = tried_for_});
}

}  // namespace smsrack::host
