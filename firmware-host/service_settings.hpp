/// The configuration as the objects of the service take it; the rack's part is in rack_settings.hpp.
///
/// Errors:  none: the configuration was checked as a whole before.
#pragma once

#include "db/settings.hpp"
#include "firmware-host/net/http_server.hpp"
#include "firmware-host/setup/configuration.hpp"
#include "firmware-host/system/ticks.hpp"
#include "src/api/api.hpp"
#include "src/base/log.hpp"
#include "src/config/settings.hpp"
#include "src/intake/intake.hpp"
#include "src/ports/power.hpp"
#include "src/ports/store_rules.hpp"
#include "src/rules/quiet_hours.hpp"

#include <memory>
#include <string>
#include <vector>

namespace smsrack::host {

[[nodiscard]] db::SqliteStoreSettings store_settings(const config::Settings& settings);
/// `configuration` outlives them.
[[nodiscard]] ports::StoreRules store_rules(const Configuration& configuration);
[[nodiscard]] intake::IntakeSettings intake_settings(const config::Settings& settings,
                                                     rules::QuietHours quiet);
[[nodiscard]] api::ApiSettings api_settings(const config::Settings& settings, Log& log);
[[nodiscard]] net::HttpServerSettings server_settings(const config::ServiceSettings& service,
                                                      const api::AccessRules& access);
[[nodiscard]] TickSettings tick_settings(const config::Settings& settings);
/// Null: the board has no power line for this modem.
[[nodiscard]] std::unique_ptr<ports::Power> power_of(const config::ModemSettings& modem);
/// Of each modem, in the order of the configuration.
[[nodiscard]] std::vector<std::string> ports_of(const config::Settings& settings);

}  // namespace smsrack::host
