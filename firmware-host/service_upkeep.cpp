#include "firmware-host/service_upkeep.hpp"

#include "db/engine/migrate.hpp"
#include "firmware-host/upgrade/hand_over_text.hpp"

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
using Want = line::LineAddress::Want;

constexpr std::string_view stopping = "the service is stopping";
constexpr auto look_period = 2ms;     // while lines and clients end what they are about
constexpr auto set_up_patience = 2s;  // with modems that would be set up once more
constexpr auto ending_margin = 10s;   // in addition to submit_timeout, as at a stop

int own_schema() {
    return static_cast<int>(db::migrations().size());
}

}  // namespace

ServiceUpkeep::ServiceUpkeep(Run& run, Rack& rack, std::optional<ClientSide>& clients,
                             ports::UpkeepOutcome outcome, std::function<void(Ending)> frozen)
    : run_(run),
      rack_(rack),
      clients_(clients),
      outcome_(std::move(outcome)),
      frozen_(std::move(frozen)) {}

ServiceUpkeep::~ServiceUpkeep() = default;

bool ServiceUpkeep::move(UpkeepEvent event) {
    const auto to = next(upkeep_rules, state_, event);
    if (to) {
        state_ = *to;
        deadline_ = run_.clock.steady() + run_.settings.service.upgrade_limit;
    }
    return to.has_value();
}

void ServiceUpkeep::call_off() {
    give_up(std::string(stopping), Errc::closed);
    move(UpkeepEvent::service_stops);
}

/// nullopt: an order may be carried out.
std::optional<Error> ServiceUpkeep::not_now() const {
    if (state_ == UpkeepState::called_off) {
        return Error{.code = Errc::conflict, .context = std::string(stopping)};
    }
    return state_ == UpkeepState::idle
               ? std::nullopt
               : std::optional(
                     Error{.code = Errc::busy, .context = "an upgrade or a reload is under way"});
}

void ServiceUpkeep::upgrade(ports::UpgradeOrder order, Refused refused) {
    if (const auto why = not_now()) {
        return refused(*why);
    }
    auto program = TrustedProgram::open(order.binary, ::geteuid());
    if (!program) {
        run_.log.warn("upgrade_refused", {{"why", program.error().context}});
        return refused(program.error());
    }
    if (const auto meant = program->require(order.hash); !meant) {
        run_.log.warn("upgrade_refused", {{"why", meant.error().context}});
        return refused(meant.error());
    }
    auto successor = Successor::start(*program, run_.config_file);
    if (!successor) {
        return refused({.code = Errc::conflict, .context = successor.error().context});
    }
    run_.log.info("upgrade_begins", {{"binary", order.binary}, {"pid", (*successor)->pid()}});
    tried_for_ = {};
    order_ = std::move(order);
    refused_ = std::move(refused);
    program_ = *std::move(program);
    successor_ = *std::move(successor);
    move(UpkeepEvent::upgrade_asked);
    hello_watch_ = run_.loop.on_readable(successor_->fd(), [this] { hello_came(); });
    look_watch_ = run_.loop.every(look_period, [this] { look(); });
}

void ServiceUpkeep::reload(Reloaded reloaded, bool if_unchanged) {
    if (auto why = not_now()) {
        return reloaded(std::unexpected(*std::move(why)));
    }
    auto configuration = read_again(run_.config_file, run_.settings, run_.configuration.warnings);
    if (!configuration) {
        for (const auto problem : std::views::split(configuration.error().context, '\n')) {
            run_.log.error("config_refused", {{"problem", std::string_view(problem)}});
        }
        return reloaded(std::unexpected(std::move(configuration.error())));
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
    deadline_ = run_.clock.steady() + run_.settings.defaults.submit_timeout + ending_margin;
    rack_.hold_to_end(configuration_->plan.ending);
    look_watch_ = run_.loop.every(look_period, [this] { look(); });
}

/// Back to where it was; the caller gets the reason.
void ServiceUpkeep::give_up(std::string why, Errc code) {
    if (!move(UpkeepEvent::failed)) {
        return;
    }
    run_.log.error(configuration_ ? "reload_given_up" : "upgrade_given_up", {{"why", why}});
    let_go();
    std::exchange(refused_, nullptr)({.code = code, .context = std::move(why)});
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
        rack_.start();
    }
    clients_->server().hold(false);
    rack_.hold(rack_.line_names(), false);
}

void ServiceUpkeep::hello_came() {
    auto hello = successor_->hello();
    if (!hello) {
        return give_up(std::move(hello.error().context));
    }
    if (*hello) {
        hello_watch_.reset();
        judge(**hello);
    }
}

void ServiceUpkeep::judge(const Hello& hello) {
    if (hello.protocol != hand_over_protocol) {
        return give_up(
            fmt::format("version {} uses hand-over protocol {}, this one {}: stop the service and "
                        "start the other version; waiting messages are kept on the disk",
                        hello.version, hello.protocol, hand_over_protocol));
    }
    if (hello.schema < own_schema()) {
        return give_up(
            fmt::format("version {} supports database schemas up to {}, and this database has "
                        "schema {}: it can't read it",
                        hello.version, hello.schema, own_schema()));
    }
    if (hello.schema == own_schema()) {
        move(UpkeepEvent::knows_database);
        return hold_lines();
    }
    if (!order_.agreed) {
        return give_up(
            fmt::format("version {} migrates the database from schema {} to {}, which this version "
                        "can't read: the only way back is a backup. Use --yes to continue",
                        hello.version, own_schema(), hello.schema));
    }
    try_migration(hello);
}

void ServiceUpkeep::try_migration(const Hello& hello) {
    move(UpkeepEvent::would_migrate);
    deadline_ = never;  // a copy takes as long as the disk needs
    run_.log.info("migration_tried", {{"from", own_schema()}, {"to", hello.schema}});
    trial_ =
        std::make_unique<MigrationTrial>(*program_, run_.settings.service.state_dir, run_.loop,
                                         [this, began = run_.clock.steady()](Result<> tried) {
                                             trial_.reset();
                                             tried_for_ = run_.clock.steady() - began;
                                             if (!tried) {
                                                 return give_up(std::move(tried.error().context));
                                             }
                                             move(UpkeepEvent::knows_database);
                                             hold_lines();
                                         });
}

/// Lines that end stay held to their end.
void ServiceUpkeep::hold_lines() {
    Rack::LineNames staying = rack_.line_names();
    if (configuration_) {
        std::erase_if(staying, [this](const std::string& name) {
            return configuration_->plan.ending.contains(name);
        });
    }
    rack_.hold(staying, true);
    patient_until_ = run_.clock.steady() + set_up_patience;
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
            if (run_.clock.steady() >= deadline_) {
                give_up(order_.binary + " did not identify itself; it was ended");
            }
            break;
        case UpkeepState::idle:
        case UpkeepState::trying:
        case UpkeepState::frozen:
        case UpkeepState::called_off:
            break;
    }
}

std::string ServiceUpkeep::words_of_late(Want want) const {
    const bool ending = state_ == UpkeepState::ending_lines;
    const auto late =
        rack_.unsettled(ending ? configuration_->plan.ending : rack_.line_names(), want);
    return fmt::format("{}: busy with a message or an operator's command; try again",
                       fmt::join(late, ", "));
}

void ServiceUpkeep::look_at_ending_lines() {
    if (rack_.unsettled(configuration_->plan.ending, Want::nothing_held).empty()) {
        move(UpkeepEvent::ready_to_hold);
        hold_lines();
    } else if (run_.clock.steady() >= deadline_) {
        give_up(words_of_late(Want::nothing_held));
    }
}

void ServiceUpkeep::look_at_held_lines() {
    const SteadyTime now = run_.clock.steady();
    const Want want = now < patient_until_ ? Want::all : Want::no_loss;
    if (rack_.unsettled(rack_.line_names(), want).empty()) {
        move(UpkeepEvent::lines_held);
        stopper_ = std::jthread([this] {
            rack_.stop();
            threads_ended_ = true;
        });
    } else if (now >= deadline_) {
        give_up(words_of_late(want));
    }
}

/// A busy machine takes its time to end a thread for each line.
void ServiceUpkeep::look_at_threads() {
    if (threads_ended_) {
        move(UpkeepEvent::threads_stopped);
        held_since_ = run_.clock.steady();
        deadline_ = held_since_ + clients_limit;
        clients_->server().hold(true);
        clients_->end_questions();
        look_at_clients();
    } else if (run_.clock.steady() >= deadline_) {
        give_up("the modems did not stop in time; try again");
    }
}

void ServiceUpkeep::look_at_clients() {
    if (clients_->server().is_settled()) {
        freeze();
    } else if (run_.clock.steady() >= deadline_) {
        give_up("a request was not answered in time; try again");
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
