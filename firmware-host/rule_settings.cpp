#include "firmware-host/rule_settings.hpp"

#include "firmware-host/setup/zone_file.hpp"

#include <utility>

namespace smsrack::host {

Result<rules::QuietHours> quiet_hours(const config::QuietHoursSettings& settings) {
    if (settings.from.empty()) {
        return rules::QuietHours{};
    }
    auto zone = read_zone(settings.zone);
    if (!zone) {
        return std::unexpected(std::move(zone.error()));
    }
    return rules::QuietHours{.from = rules::time_of_day(settings.from),
                             .to = rules::time_of_day(settings.to),
                             .zone = *std::move(zone),
                             .below = static_cast<Level>(settings.below_priority),
                             .refuses = settings.action == config::QuietAction::refuse};
}

rules::DestinationRules destination_rules(const config::DestinationSettings& settings) {
    return {.allow = settings.allow,
            .deny = settings.deny,
            .premium = settings.premium == config::PremiumPolicy::refuse};
}

ports::OptOutRules opt_out_rules(const config::Settings& settings) {
    ports::OptOutRules rules{.written = settings.opt_out.written};
    for (const config::ModemSettings& modem : settings.modems) {
        rules.groups.insert_or_assign(modem.name, modem.line.group);
    }
    rules.exempt_groups.insert(settings.opt_out.exempt_groups.begin(),
                               settings.opt_out.exempt_groups.end());
    if (settings.opt_out.exempt_priority) {
        rules.exempt_level = static_cast<Level>(*settings.opt_out.exempt_priority);
    }
    return rules;
}

std::vector<intake::Route> routes(const std::vector<config::RouteSettings>& settings) {
    std::vector<intake::Route> routes;
    for (const config::RouteSettings& route : settings) {
        routes.push_back(
            {.prefix = route.prefix,
             .groups = route.groups.empty() ? std::vector<std::string>{route.group} : route.groups,
             .sticky = route.sticky});
    }
    return routes;
}

std::map<std::string, ClientLimits, std::less<>> client_limits(const config::Settings& settings) {
    std::map<std::string, ClientLimits, std::less<>> limits;
    for (const config::ClientSettings& client : settings.client_list) {
        limits.insert_or_assign(client.name,
                                ClientLimits{.buffered_max = client.buffered_max.value_or(
                                                 settings.clients.buffered_max),
                                             .waiting_max = client.waiting_max});
    }
    return limits;
}

ClientLimits client_limits(const config::ClientsSettings& settings) {
    return {.buffered_max = settings.buffered_max};
}

RecipientLimits recipient_limits(const config::LimitSettings& settings) {
    const auto limit = [](const std::optional<std::int64_t>& value) {
        return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
    };
    return {.per_hour = limit(settings.per_recipient_hour),
            .per_day = limit(settings.per_recipient_day)};
}

}  // namespace smsrack::host
