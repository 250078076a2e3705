#include "src/config/settings_check.hpp"

#include "src/base/field_template.hpp"
#include "src/config/http_url.hpp"
#include "src/config/ip_address.hpp"
#include "src/config/webhook_check.hpp"

#include <algorithm>
#include <map>

namespace smsrack::config {
namespace {

/// Each value of `what` may be in only one [[kind]].
template <typename Item>
void check_unique(const std::vector<Item>& items, std::string Item::*what, std::string_view kind,
                  std::string_view key, ProblemList& problems) {
    std::map<std::string_view, int> first_lines;
    for (const Item& item : items) {
        const std::string& value = item.*what;
        const auto [first, is_new] = first_lines.emplace(value, item.source_line);
        if (!is_new && !value.empty()) {  // empty: missing or wrong, reported where it was read
            problems.add(
                item.source_line, path_of(kind, key),
                fmt::format("\"{}\" is taken by the {} of line {}", value, kind, first->second));
        }
    }
}

void check_secret(const ModemSettings& modem, ProblemList& problems) {
    if (modem.pin && modem.pin->file.empty() == modem.pin->env.empty()) {
        problems.add(modem.source_line, "modem.pin",
                     "must have exactly one of \"file\" and \"env\"");
    }
}

/// The modem is found at `baud` after its restart, and at the other one only by this service.
void check_rates(const ModemSettings& modem, ProblemList& problems) {
    if (modem.line.fast_baud != 0 && modem.line.fast_baud <= modem.line.baud) {
        problems.add(modem.source_line, "modem.fast_baud",
                     fmt::format("{} must be 0 or above `baud`, which is {}", modem.line.fast_baud,
                                 modem.line.baud));
    }
}

/// Each group of a route, an exemption or a trigger must have a modem.
void check_group(const Settings& settings, const std::string& group, int line,
                 std::string_view section, std::string_view key, ProblemList& problems) {
    if (std::ranges::none_of(settings.modems, [&](const ModemSettings& modem) {
            return modem.line.group == group;
        })) {
        problems.add(line, path_of(section, key),
                     fmt::format("no modem is in group \"{}\"", group));
    }
}

void check_route(const Settings& settings, const RouteSettings& route, ProblemList& problems) {
    if (route.group.empty() == route.groups.empty()) {
        problems.add(route.source_line, "route.group",
                     "must have exactly one of \"group\" and \"groups\"");
    }
    if (!route.group.empty()) {
        check_group(settings, route.group, route.source_line, "route", "group", problems);
    }
    for (const std::string& group : route.groups) {
        if (!group.empty()) {  // an empty one was reported where it was read
            check_group(settings, group, route.source_line, "route", "groups", problems);
        }
        if (std::ranges::count(route.groups, group) > 1) {
            problems.add(route.source_line, "route.groups",
                         fmt::format("\"{}\" is in it twice", group));
            break;
        }
    }
}

void check_routes(const Settings& settings, ProblemList& problems) {
    for (const std::string& group : settings.opt_out.exempt_groups) {
        check_group(settings, group, settings.opt_out.source_line, "opt_out", "exempt_groups",
                    problems);
    }
    for (const RouteSettings& route : settings.routes) {
        check_route(settings, route, problems);
    }
    check_unique(settings.routes, &RouteSettings::prefix, "route", "prefix", problems);
}

/// The modem that sends a message of a group is not known when its number is read.
void check_number_plans(const Settings& settings, ProblemList& problems) {
    std::map<std::string_view, const ModemSettings*> first_of;
    for (const ModemSettings& modem : settings.modems) {
        const ModemSettings& first = *first_of.emplace(modem.line.group, &modem).first->second;
        const auto differ = [&](std::string_view key) {
            problems.add(
                modem.source_line, path_of("modem", key),
                fmt::format("differs from the modem of line {}, which is in group \"{}\" too",
                            first.source_line, modem.line.group));
        };
        if (modem.line.country != first.line.country) {
            differ("country");
        }
        if (modem.line.trunk != first.line.trunk) {
            differ("trunk");
        }
    }
}

/// A webhook's place in the events is that of the client "webhook.NAME".
void check_clients(const std::vector<ClientSettings>& clients, ProblemList& problems) {
    check_unique(clients, &ClientSettings::name, "client", "name", problems);
    for (const ClientSettings& client : clients) {
        if (client.name.starts_with(webhook_client_prefix)) {
            problems.add(client.source_line, "client.name",
                         "must not begin with \"webhook.\": such names belong to webhooks");
        }
    }
}

/// `line` and `section`: where it is.
void check_scaling(const NodeScaling& scaling, int line, std::string_view section,
                   ProblemList& problems) {
    const auto outside = [&](double value, double low, double high, std::string_view key) {
        if (!(value >= low && value <= high)) {
            problems.add(line, path_of(section, key),
                         fmt::format("must be from {} to {}", low, high));
        }
    };
    outside(scaling.idle, 0.01, 0.2, "idle");
    outside(scaling.busy, 0.6, 0.9, "busy");
    if (scaling.n_max && *scaling.n_max < scaling.n_min) {
        problems.add(line, path_of(section, "n_max"),
                     fmt::format("must not be below n_min, which is {}", scaling.n_min));
    }
}

/// The SIM's own word for its number may be another's by now: so only a configured one is sent to.
void check_self_sms(const Settings& settings, ProblemList& problems) {
    constexpr std::chrono::seconds least{600};  // longer than one is out
    const PrioritySettings& priority = settings.priority;
    if (priority.self_sms.count() == 0) {
        return;
    }
    if (priority.self_sms < least) {
        problems.add(priority.source_line, "priority.self_sms_s",
                     fmt::format("must be 0 or at least {}", least.count()));
    }
    if (std::ranges::all_of(settings.modems,
                            [](const ModemSettings& modem) { return modem.number.empty(); })) {
        problems.add(priority.source_line, "priority.self_sms_s",
                     "needs a number to send to: set \"number\" of a [[modem]] to that of its SIM");
    }
}

void check_quiet_hours(const QuietHoursSettings& quiet, ProblemList& problems) {
    if (quiet.from.empty() != quiet.to.empty()) {
        problems.add(quiet.source_line, path_of("quiet_hours", quiet.from.empty() ? "from" : "to"),
                     "is required with the other one");
    } else if (!quiet.from.empty() && quiet.from == quiet.to) {
        problems.add(quiet.source_line, "quiet_hours.to", "must not be the same as \"from\"");
    }
}

/// A prefix in both would decide nothing.
void check_destinations(const DestinationSettings& destinations, ProblemList& problems) {
    for (const std::string& prefix : destinations.deny) {
        if (std::ranges::find(destinations.allow, prefix) != destinations.allow.end()) {
            problems.add(destinations.source_line, "destinations.deny",
                         fmt::format("\"{}\" is in \"allow\" too", prefix));
        }
    }
}

void check_template(const TriggerSettings& trigger, ProblemList& problems) {
    const auto problem = [&](std::string message) {
        problems.add(trigger.source_line, "trigger.template", std::move(message));
    };
    const auto parsed = FieldTemplate::parse(trigger.text);
    if (!parsed) {
        return problem(parsed.error().context);
    }
    if (trigger.text.empty() && !trigger.topics) {
        return problem("is required where there is no file of topics with texts");
    }
    for (const std::string& name : parsed->fields()) {
        const bool known =
            name == "topic" || name == "number" || name == "text" ||
            std::ranges::find(trigger.event_fields, name) != trigger.event_fields.end();
        if (!known) {
            problem(fmt::format(
                "unknown field {{{}}}: not {{topic}}, {{number}}, {{text}} or one of \"fields\"",
                name));
        }
        if (name == "text" && !trigger.topics) {
            problem("{text} is of a file of topics, and there is none");
        }
    }
}

void check_triggers(const Settings& settings, ProblemList& problems) {
    check_unique(settings.triggers, &TriggerSettings::name, "trigger", "name", problems);
    for (const TriggerSettings& trigger : settings.triggers) {
        if (!trigger.group.empty()) {
            check_group(settings, trigger.group, trigger.source_line, "trigger", "group", problems);
        }
        if (!(trigger.fp_rate >= 1e-6 && trigger.fp_rate <= 0.1)) {
            problems.add(trigger.source_line, "trigger.fp_rate", "must be from 0.000001 to 0.1");
        }
        for (const std::string_view own : {"number", "topic", "text"}) {
            if (std::ranges::find(trigger.event_fields, own) != trigger.event_fields.end()) {
                problems.add(trigger.source_line, "trigger.fields",
                             fmt::format("\"{}\" is there without it", own));
            }
        }
        check_template(trigger, problems);
    }
}

/// As a browser writes it: a scheme, a host in small letters, and a port that is not the usual one.
bool is_origin(std::string_view text) {
    const auto url = http_url_of(std::string(text) + '/');
    if (!url || url->path != "/" || url->has_query) {
        return false;
    }
    const std::uint16_t usual = url->tls ? 443 : 80;
    return text == fmt::format("{}://{}{}", url->tls ? "https" : "http",
                               url->host.contains(':') ? '[' + url->host + ']' : url->host,
                               url->port == usual ? "" : fmt::format(":{}", url->port));
}

void check_http(const HttpSettings& http, ProblemList& problems) {
    const auto problem = [&](std::string_view key, std::string message) {
        problems.add(http.source_line, path_of("http", key), std::move(message));
    };
    if (http.tls_cert.empty() != http.tls_key.empty()) {
        problem(http.tls_cert.empty() ? "tls_cert" : "tls_key",
                "is required with the other one; `smsrack tls new` makes both");
    }
    if (!http.client_ca.empty() && http.tls_cert.empty()) {
        problem("client_ca",
                "needs tls_cert and tls_key: a client shows its certificate to a server that has "
                "one");
    }
    if (http.listen.empty()) {
        problem("listen", "must have an address");
    }
    for (const std::string& text : http.origins) {
        if (!is_origin(text)) {
            problem(
                "origins",
                fmt::format("\"{}\" must be http:// or https://, a host in small letters, and "
                            "a port unless it is the usual one, such as \"https://shop.example\"",
                            text));
        }
    }
    for (const std::string& text : http.listen) {
        const auto listen = listen_address_of(text);  // nullopt was reported where it was read
        if (listen && !listen->address.is_loopback() && http.tls_cert.empty() && !http.plain) {
            problem("listen",
                    fmt::format("{} can be reached from other machines, and there is no "
                                "certificate: `smsrack tls new` makes one for tls_cert and "
                                "tls_key; plain = true is for a proxy in front that has one",
                                text));
        }
    }
}

/// As a word, or in a URI: scheme://user:password@host. libpq's own reader decides when it is used; this is
/// for `config show`, which must not show one.
bool has_password(std::string_view conninfo) {
    const std::size_t scheme = conninfo.find("://");
    if (scheme == std::string_view::npos) {
        return conninfo.contains("password");
    }
    const std::string_view rest = conninfo.substr(scheme + 3);
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
    const std::size_t host = authority.find('@');
    return rest.contains("password") ||
           (host != std::string_view::npos && authority.substr(0, host).contains(':'));
}

void check_cluster(const ClusterSettings& cluster, ProblemList& problems) {
    const auto problem = [&](std::string_view key, std::string message) {
        problems.add(cluster.source_line, path_of("cluster", key), std::move(message));
    };
    if (has_password(cluster.engine)) {
        problem("engine",
                "must have no password: anyone may read this file's output; use a certificate "
                "(sslcert, sslkey) or a passfile");
    }
    if (cluster.alone_levels.lowest > cluster.alone_levels.highest) {
        problem("alone_levels", "must have the lowest level first");
    }
    if (cluster.alone_for < 2 * cluster.lease) {
        problem("alone_s", "must be at least twice lease_s");
    }
    check_scaling(cluster.scaling, cluster.source_line, "cluster.scaling", problems);
    if (cluster.scaling.enabled && cluster.wake.empty()) {
        problem("wake",
                "is required with [cluster.scaling]: the program that wakes and parks boxes");
    }
}

void check_smpp(const Settings& settings, ProblemList& problems) {
    const SmppSettings& smpp = *settings.smpp;
    const auto problem = [&](std::string_view key, std::string message) {
        problems.add(smpp.source_line, path_of("smpp", key), std::move(message));
    };
    if (smpp.tls_cert.empty() != smpp.tls_key.empty()) {
        problem(smpp.tls_cert.empty() ? "tls_cert" : "tls_key",
                "is required with the other one; `smsrack tls new` makes both");
    }
    const bool has_certificate =
        !smpp.tls_cert.empty() || (settings.http && !settings.http->tls_cert.empty());
    if (!smpp.listen_tls.empty() && !has_certificate) {
        problem("listen_tls",
                "needs a certificate: tls_cert and tls_key, here or in [http]; `smsrack tls new` "
                "makes them");
    }
    if (smpp.listen.empty() && smpp.listen_tls.empty()) {
        problem("listen", "must have an address, or listen_tls must");
    }
}

}  // namespace

void check_settings(const Settings& settings, ProblemList& problems) {
    check_unique(settings.modems, &ModemSettings::name, "modem", "name", problems);
    check_unique(settings.modems, &ModemSettings::port, "modem", "port", problems);
    check_clients(settings.client_list, problems);
    if (settings.modems.size() > modems_max) {
        problems.add(settings.modems[modems_max].source_line, "modem",
                     fmt::format("at most {} modems", modems_max));
    }
    for (const ModemSettings& modem : settings.modems) {
        check_secret(modem, problems);
        check_rates(modem, problems);
    }
    check_routes(settings, problems);
    check_scaling(settings.scaling, settings.scaling.source_line, "scaling", problems);
    check_number_plans(settings, problems);
    check_self_sms(settings, problems);
    check_quiet_hours(settings.quiet_hours, problems);
    check_destinations(settings.destinations, problems);
    check_triggers(settings, problems);
    if (settings.http) {
        check_http(*settings.http, problems);
    }
    if (settings.smpp) {
        check_smpp(settings, problems);
    }
    check_webhooks(settings.webhooks, problems);
    if (settings.cluster) {
        check_cluster(*settings.cluster, problems);
    }
}

ConfigProblems settings_warnings(const Settings& settings) {
    ProblemList warnings;
    if (settings.modems.empty()) {
        warnings.add(0, "modem",
                     "there is no [[modem]], so nothing can be sent or received; `smsrack slots` "
                     "prints the entries for the modems that it finds");
    }
    for (const TriggerSettings& trigger : settings.triggers) {
        if (trigger.on_failed == TriggerOnFailed::webhook) {
            warnings.add(trigger.source_line, "trigger.on_failed",
                         fmt::format("\"webhook\" comes with a later version; trigger {} works "
                                     "as with \"keep\"",
                                     trigger.name));
        }
    }
    warn_of_webhooks(settings.webhooks, warnings);
    return warnings.take();
}

}  // namespace smsrack::config
