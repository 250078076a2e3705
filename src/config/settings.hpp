/// The whole configuration as typed structs: the values of smsrack.toml, and defaults for what it
/// leaves out.
///
/// Each struct has its `fields`: key, range and meaning. Modules include the header of the part
/// they need, never the file.
///
/// Time:    durations are std::chrono; the keys name the unit of the file.
/// Errors:  every fault of the text is reported, not the first alone.
/// Source:  docs/man/smsrack.toml.5
#pragma once

#include "src/config/client_settings.hpp"
#include "src/config/cluster_settings.hpp"
#include "src/config/http_settings.hpp"
#include "src/config/modem_settings.hpp"
#include "src/config/problem.hpp"
#include "src/config/queue_settings.hpp"
#include "src/config/rule_settings.hpp"
#include "src/config/scaling_settings.hpp"
#include "src/config/service_settings.hpp"
#include "src/config/smpp_settings.hpp"
#include "src/config/store_settings.hpp"
#include "src/config/trigger_settings.hpp"
#include "src/config/webhook_settings.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace smsrack::config {

struct Settings {
    ServiceSettings service = {};
    LineSettings defaults = {};
    std::vector<ModemSettings> modems = {};  ///< in order of the file; ModemId is the index
    std::vector<RouteSettings> routes = {};  ///< first match wins
    QueueSettings queue = {};
    PrioritySettings priority = {};
    ScalingSettings scaling = {};
    DedupSettings dedup = {};
    ClientsSettings clients = {};
    std::vector<ClientSettings> client_list = {};
    RetentionSettings messages = {};
    RetentionSettings inbox = {};
    DestinationSettings destinations = {};
    LimitSettings limits = {};
    QuietHoursSettings quiet_hours = {};
    OptOutSettings opt_out = {};
    std::vector<TriggerSettings> triggers = {};   ///< in order of the file
    std::optional<HttpSettings> http = {};        ///< nullopt: nothing listens on a network
    std::optional<SmppSettings> smpp = {};        ///< nullopt: there is no SMPP server
    std::vector<WebhookSettings> webhooks = {};   ///< in order of the file
    std::optional<ClusterSettings> cluster = {};  ///< nullopt: this box is a gateway of its own

    /// In the order in which they are read and shown: a [[modem]] begins with [defaults].
    static constexpr auto tables = std::tuple{
        table("service", &Settings::service),
        table("defaults", &Settings::defaults),
        table("modem", &Settings::modems),
        table("route", &Settings::routes),
        table("queue", &Settings::queue),
        table("priority", &Settings::priority),
        table("scaling", &Settings::scaling),
        table("clients", &Settings::clients),
        table("client", &Settings::client_list),
        table("dedup", &Settings::dedup),
        table("messages", &Settings::messages),
        table("inbox", &Settings::inbox),
        table("destinations", &Settings::destinations),
        table("limits", &Settings::limits),
        table("quiet_hours", &Settings::quiet_hours),
        table("opt_out", &Settings::opt_out),
        table("trigger", &Settings::triggers),
        table("http", &Settings::http),
        table("smpp", &Settings::smpp),
        table("webhook", &Settings::webhooks),
        table("cluster", &Settings::cluster),
    };
};

/// `file` is the name for messages; reading it is the caller's.
[[nodiscard]] std::expected<Settings, ConfigError> load_settings(std::string_view text,
                                                                 const std::string& file);

}  // namespace smsrack::config
