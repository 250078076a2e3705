#include "firmware-host/service_settings.hpp"

#include "firmware-host/rack_settings.hpp"
#include "firmware-host/rule_settings.hpp"
#include "firmware-host/setup/local_accounts.hpp"
#include "firmware-host/version.hpp"
#include "hw/power/gpio_power.hpp"
#include "src/pdu/reassembler.hpp"
#include "src/results/assembly_rule.hpp"
#include "src/results/repeat_rule.hpp"
#include "src/results/report_matcher.hpp"
#include "src/rules/opt_out_words.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

/// Another one each time the machine starts; where the kernel does not say it, each time the service does.
std::string boot_id() {
    std::string id;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id") >> std::ws, id);
    return id.empty() ? std::to_string(std::random_device{}()) : id;
}

/// "default" where it has a line; else where the lines are.
std::string default_group(const std::set<std::string>& groups, const std::string& of_lines) {
    return groups.contains("default") || groups.empty() ? "default"
           : groups.contains(of_lines)                  ? of_lines
                                                        : *groups.begin();
}

/// An account of a [[client]] that the box does not know is logged, and its name is left to
/// administrators. A group made later counts from the next start or reload on.
api::AccessRules access_rules(const config::Settings& settings, Log& log) {
    api::AccessRules rules{.own_uid = ::geteuid(),
                           .read_group = local_group("smsrack-read"),
                           .admin_group = local_group("smsrack-admin")};
    rules.has_smpp = settings.smpp.has_value();
    if (settings.http || settings.smpp || !settings.webhooks.empty()) {
        rules.gate = local_user("smsrack-gate");
    }
    if (settings.http) {
        rules.remote_at = settings.http->remote_at;
    }
    for (const config::ClientSettings& client : settings.client_list) {
        if (client.user.empty()) {
            continue;
        }
        if (const auto uid = local_user(client.user)) {
            rules.clients.push_back({.uid = *uid, .client = client.name});
        } else {
            log.warn("client_user_unknown", {{"client", client.name}, {"user", client.user}});
        }
    }
    return rules;
}

}  // namespace

db::SqliteStoreSettings store_settings(const config::Settings& settings) {
    db::SqliteStoreSettings store;
    store.boot = boot_id();
    store.path = std::filesystem::path(settings.service.state_dir) / "smsrack.db";
    store.capacity = settings.queue.capacity;
    store.readers_max = static_cast<std::size_t>(settings.service.readers);
    store.duplicate_window = settings.dedup.window;
    store.uncertain_after = settings.queue.uncertain_after;
    store.share_within = settings.queue.share_within;
    for (const config::ModemSettings& modem : settings.modems) {
        store.slots.push_back(modem.name);
    }
    return store;
}

ports::StoreRules store_rules(const Configuration& configuration) {
    const config::Settings& settings = configuration.settings;
    return {.errors = &configuration.errors,
            .choose_report = results::choose_report,
            .judge_segment = results::judge_segment,
            .judge_report = results::judge_report,
            .choose_assembly = results::choose_assembly,
            .join_segments = pdu::join_segments,
            .wish_of =
                [words = rules::OptOutWords(settings.opt_out.words, settings.opt_out.start_words)](
                    std::string_view text) { return words.wish_of(text); },
            .opt_out = opt_out_rules(settings)};
}

intake::IntakeSettings intake_settings(const config::Settings& settings, rules::QuietHours quiet) {
    const std::set<std::string> groups = groups_of(settings);
    intake::IntakeSettings intake{
        .plan = plan_of(settings.defaults),
        .default_level = static_cast<Level>(settings.priority.default_level),
        .default_report = settings.defaults.report,
        .default_ttl = settings.queue.ttl,
        .segments_max = static_cast<std::size_t>(settings.queue.segments_max),
        .duplicate_window = settings.dedup.window,
        .routes = routes(settings.routes),
        .default_group = default_group(groups, settings.defaults.group),
        .groups = {groups.begin(), groups.end()},
        .destinations = destination_rules(settings.destinations),
        .limits = recipient_limits(settings.limits),
        .quiet = std::move(quiet),
        .clients = client_limits(settings),
        .client_limits = client_limits(settings.clients),
        .known_clients_only = settings.clients.known_only};
    for (const config::ModemSettings& modem : settings.modems) {
        intake.group_plans.insert_or_assign(modem.line.group, plan_of(modem.line));
    }
    return intake;
}

api::ApiSettings api_settings(const config::Settings& settings, Log& log) {
    api::ApiSettings api{
        .version = std::string(version),
        .plan = plan_of(settings.defaults),
        .access = access_rules(settings, log),
        .uncertain_policy = std::string(config::Words<config::UncertainPolicy>::names.at(
            static_cast<std::size_t>(settings.queue.uncertain))),
        .retry_limit = settings.queue.retry_limit,
        .ageing = {.on = settings.priority.ageing, .max_wait = settings.priority.max_wait},
        .opt_out = opt_out_rules(settings)};
    std::ranges::transform(settings.priority.sla, api.sla_ms.begin(),
                           [](auto sla) { return sla.count(); });
    return api;
}

net::HttpServerSettings server_settings(const config::ServiceSettings& service,
                                        const api::AccessRules& access) {
    constexpr unsigned mib_bits = 20;
    return {.socket_path = service.socket,
            .socket_mode = service.socket_mode.bits,
            .socket_group = local_group("smsrack-api"),
            .places = {.connections = static_cast<std::size_t>(service.connections),
                       .per_account = static_cast<std::size_t>(service.connections_per_account)},
            .gate = access.gate,
            .memory_bytes = static_cast<std::size_t>(service.memory_mib) << mib_bits,
            .is_privileged = [access](const wire::Peer& peer) {
                const auto caller = api::caller_of(&peer, access);
                return caller && caller->may(api::Role::admin);
            }};
}

TickSettings tick_settings(const config::Settings& settings) {
    return {.messages_keep = settings.messages.keep,
            .inbox_keep = settings.inbox.keep,
            .messages_anonymise = settings.messages.anonymise,
            .inbox_anonymise = settings.inbox.anonymise};
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

}  // namespace smsrack::host
