#include "firmware-host/setup/machine_checks.hpp"

#include "firmware-host/setup/box_identity.hpp"
#include "firmware-host/setup/folder_check.hpp"
#include "firmware-host/setup/local_accounts.hpp"
#include "firmware-host/setup/pin.hpp"
#include "firmware-host/setup/zone_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace smsrack::host {
namespace {

void check_folders(const config::ServiceSettings& service, config::ConfigProblems& problems) {
    if (auto fault = folder_fault(service.state_dir)) {
        problems.push_back(
            {.key = "service.state_dir", .message = *std::move(fault), .may_pass = true});
    }
    struct stat found {};
    if (::lstat(service.socket.c_str(), &found) == 0 && !S_ISSOCK(found.st_mode)) {
        problems.push_back(
            {.key = "service.socket",
             .message = service.socket +
                        " exists and is not a socket; choose another path or move it away"});
        return;
    }
    if (auto fault = folder_fault(std::filesystem::path(service.socket).parent_path())) {
        problems.push_back(
            {.key = "service.socket", .message = *std::move(fault), .may_pass = true});
    }
}

/// What `smsrack cluster join` has left. An account that may not read it says nothing of it: the service does.
void check_fleet(const config::Settings& settings, config::ConfigProblems& problems) {
    const auto identity = read_identity(settings.service.state_dir);
    const bool joined = identity && identity->number != BoxNumber{};
    if (!settings.cluster) {
        if (joined) {
            problems.push_back(
                {.key = "cluster",
                 .message = fmt::format(
                     "is missing: this box is {} of a fleet, as {} says; when it "
                     "has left the fleet, remove that file",
                     identity->name, identity_file(settings.service.state_dir).string())});
        }
        return;
    }
    const auto problem = [&](std::string message) {
        problems.push_back({.line = settings.cluster->source_line,
                            .key = "cluster.name",
                            .message = std::move(message)});
    };
    if (identity && joined && identity->name != settings.cluster->name) {
        problem(fmt::format("must be {}, the name under which this box joined", identity->name));
    } else if ((identity && !joined) || (!identity && identity.error().code == Errc::not_found)) {
        problem("this box has not joined its fleet; run `smsrack cluster join`");
    } else if (!identity && identity.error().code == Errc::bad_config) {
        problem(identity.error().context);
    }
}

void check_zones(const config::Settings& settings, config::ConfigProblems& problems) {
    if (!settings.scaling.calendar.empty()) {  // its days begin in this zone
        if (const auto zone = read_zone(settings.defaults.quota_zone); !zone) {
            problems.push_back({.line = settings.scaling.source_line,
                                .key = "scaling.calendar",
                                .message = zone.error().context});
        }
    }
    if (!settings.quiet_hours.from.empty()) {
        if (const auto zone = read_zone(settings.quiet_hours.zone); !zone) {
            problems.push_back({.line = settings.quiet_hours.source_line,
                                .key = "quiet_hours.zone",
                                .message = zone.error().context});
        }
    }
    for (const config::ModemSettings& modem : settings.modems) {
        if (!modem.quota) {
            continue;
        }
        if (const auto zone = read_zone(modem.line.quota_zone); !zone) {
            problems.push_back(
                {.line = modem.source_line,
                 .key = "modem.quota_zone",
                 .message = fmt::format("modem {}: {}", modem.name, zone.error().context)});
        }
    }
}

/// A zone that decides nothing yet.
void warn_of_zones(const config::Settings& settings, config::ConfigProblems& warnings) {
    if (settings.quiet_hours.from.empty()) {
        if (const auto zone = read_zone(settings.quiet_hours.zone); !zone) {
            warnings.push_back({.line = settings.quiet_hours.source_line,
                                .key = "quiet_hours.zone",
                                .message = zone.error().context +
                                           "; nothing uses it, since there are no quiet hours"});
        }
    }
    for (const config::ModemSettings& modem : settings.modems) {
        if (modem.quota || modem.line.quota_zone == settings.defaults.quota_zone) {
            continue;
        }
        if (const auto zone = read_zone(modem.line.quota_zone); !zone) {
            warnings.push_back(
                {.line = modem.source_line,
                 .key = "modem.quota_zone",
                 .message = fmt::format("modem {}: {}; nothing uses it, since the modem has no "
                                        "quota",
                                        modem.name, zone.error().context)});
        }
    }
    if (const auto zone = read_zone(settings.defaults.quota_zone); !zone) {
        warnings.push_back({.key = "defaults.quota_zone",
                            .message = zone.error().context +
                                       "; a modem with a quota would keep the service from "
                                       "starting"});
    }
}

void warn_of_pins(const config::Settings& settings, Rights rights,
                  config::ConfigProblems& warnings) {
    for (const config::ModemSettings& modem : settings.modems) {
        if (!modem.pin) {
            continue;
        }
        const auto pin = read_pin(*modem.pin);
        const bool unknown = !pin && rights == Rights::of_another && pin.error().detail == EACCES;
        if (!pin && !unknown) {
            warnings.push_back(
                {.line = modem.source_line,
                 .key = "modem.pin",
                 .message = fmt::format("{}; modem {} sends nothing if its SIM asks for the PIN",
                                        pin.error().context, modem.name),
                 .may_pass = !modem.pin->env.empty()});
        }
    }
}

/// The service needs neither; the gate does not start without them.
void warn_of_certificate(const config::HttpSettings& http, config::ConfigProblems& warnings) {
    constexpr std::string_view made_by = "; `smsrack tls new` makes one";
    for (const auto& [key, file, advice] :
         {std::tuple("http.tls_cert", http.tls_cert, made_by),
          std::tuple("http.tls_key", http.tls_key, made_by),
          std::tuple("http.client_ca", http.client_ca, std::string_view())}) {
        std::error_code ignored;
        if (!file.empty() && !std::filesystem::exists(file, ignored)) {
            warnings.push_back({.line = http.source_line,
                                .key = key,
                                .message = file + " is not there, so smsrack-gate does not start" +
                                           std::string(advice)});
        }
    }
}

}  // namespace

config::ConfigProblems machine_problems(const config::Settings& settings) {
    config::ConfigProblems problems;
    check_folders(settings.service, problems);
    check_zones(settings, problems);
    check_fleet(settings, problems);
    return problems;
}

config::ConfigProblems machine_warnings(const config::Settings& settings, Rights rights) {
    config::ConfigProblems warnings;
    warn_of_zones(settings, warnings);
    warn_of_pins(settings, rights, warnings);
    if (settings.http) {
        warn_of_certificate(*settings.http, warnings);
    }
    for (const config::ClientSettings& client : settings.client_list) {
        if (!client.user.empty() && !local_user(client.user)) {
            warnings.push_back(
                {.line = client.source_line,
                 .key = "client.user",
                 .message = fmt::format("this machine has no account \"{}\"; only administrators "
                                        "may use the name {}",
                                        client.user, client.name)});
        }
    }
    return warnings;
}

}  // namespace smsrack::host
