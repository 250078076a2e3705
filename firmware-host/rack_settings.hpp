/// The rack's part of the configuration, as its objects take it.
///
/// Errors:  none but where said: the configuration was checked as a whole before.
#pragma once

#include "drivers/gsm/modem_settings.hpp"
#include "src/base/log.hpp"
#include "src/config/settings.hpp"
#include "src/dispatch/dispatch_world.hpp"
#include "src/dispatch/scale/scaler.hpp"
#include "src/dispatch/self_sms/self_sms.hpp"
#include "src/line/modem_line.hpp"
#include "src/line/sim_quota.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace smsrack::host {

/// Of all modems, in alphabetical order.
[[nodiscard]] std::set<std::string> groups_of(const config::Settings& settings);
[[nodiscard]] NumberPlan plan_of(const config::LineSettings& line);
[[nodiscard]] dispatch::DispatchSettings dispatch_settings(const config::Settings& settings);
[[nodiscard]] scaling::PolicyName policy_of(const config::NodeScaling& scaling);
/// The policy's numbers, with at most `n_max` nodes.
[[nodiscard]] scaling::ScalingRules scaling_rules(const config::NodeScaling& scaling,
                                                  std::uint32_t n_max);
/// Lines that may work at the same time.
[[nodiscard]] std::uint32_t n_max_of(const config::Settings& settings);
[[nodiscard]] dispatch::ScalerSettings scaler_settings(const config::Settings& settings);
[[nodiscard]] dispatch::SelfSmsSettings self_sms_settings(const config::Settings& settings);
/// Reads the PIN; one that can't be read is logged, and the modem waits for it.
[[nodiscard]] gsm::ModemSettings modem_settings(const config::ModemSettings& modem,
                                                const config::ServiceSettings& service, Log& log);
/// All but what the line was doing in an earlier run.
[[nodiscard]] line::LineSettings line_settings(const config::ModemSettings& modem, ModemId id,
                                               const config::ScalingSettings& scaling);
/// Null: the modem has no quota, and no fleet counts what its SIM sends. bad_config: its zone is not known here. `clock`
/// outlives it.
[[nodiscard]] Result<std::unique_ptr<line::SimQuota>> quota_of(const config::ModemSettings& modem,
                                                               bool is_shared, const Clock& clock);

}  // namespace smsrack::host
