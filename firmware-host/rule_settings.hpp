/// The operator's rules for submits, from the configuration.
///
/// Threads: any.
#pragma once

#include "src/base/result.hpp"
#include "src/config/settings.hpp"
#include "src/intake/router.hpp"
#include "src/ports/store_rules.hpp"
#include "src/rules/destinations.hpp"
#include "src/rules/quiet_hours.hpp"
#include "src/sms/message.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace smsrack::host {

/// bad_config: a zone that this machine does not know.
[[nodiscard]] Result<rules::QuietHours> quiet_hours(const config::QuietHoursSettings& settings);
[[nodiscard]] rules::DestinationRules destination_rules(
    const config::DestinationSettings& settings);
[[nodiscard]] ports::OptOutRules opt_out_rules(const config::Settings& settings);
/// In the order of the file.
[[nodiscard]] std::vector<intake::Route> routes(const std::vector<config::RouteSettings>& settings);
/// Limits of each client that has its own, and those of all others.
[[nodiscard]] std::map<std::string, ClientLimits, std::less<>> client_limits(
    const config::Settings& settings);
[[nodiscard]] ClientLimits client_limits(const config::ClientsSettings& settings);
[[nodiscard]] RecipientLimits recipient_limits(const config::LimitSettings& settings);

}  // namespace smsrack::host
