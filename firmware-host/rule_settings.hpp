/// What an operator lets through, from the configuration.
///
/// Threads: any.
#pragma once

#include "src/base/result.hpp"
#include "src/config/settings.hpp"
#include "src/rules/destinations.hpp"
#include "src/rules/quiet_hours.hpp"
#include "src/sms/message.hpp"

namespace smsrack::host {

/// bad_config: a zone that this machine does not know.
[[nodiscard]] Result<rules::QuietHours> quiet_hours(const config::QuietHoursSettings& settings);
/// What else only the machine knows of a configuration: bad_config, a zone of its that this machine does not know.
[[nodiscard]] Result<> check_zones(const config::Settings& settings);
[[nodiscard]] rules::DestinationRules destination_rules(
    const config::DestinationSettings& settings);
[[nodiscard]] RecipientLimits recipient_limits(const config::LimitSettings& settings);

}  // namespace smsrack::host
