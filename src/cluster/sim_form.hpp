/// The words in which boxes pass what a SIM has sent through the engine, and keep what they heard: JSON.
///
/// Errors:  bad_request: it is not what a box has written.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/ports/sim_shares.hpp"
#include "src/sms/sim_usage.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace smsrack::cluster {

/// Dated by the clock of the box that writes it. Its recipients travel by themselves.
[[nodiscard]] std::string form_of(const SimUsage& usage);
/// Where the reader does not know how far its clock is ahead: all is dated now.
inline constexpr std::chrono::milliseconds unknown_lead = std::chrono::years(100);
/// `later`: how far the reader's clock is ahead of the writer's; `now`: by the reader's, and nothing is dated later. Nothing
/// leaves its window too early.
[[nodiscard]] Result<SimUsage> usage_of(std::string_view form, std::chrono::milliseconds later,
                                        WallTime now);

/// Without `elsewhere`.
[[nodiscard]] std::string form_of(const ports::SimShare& share);
[[nodiscard]] Result<ports::SimShare> share_of(std::string_view form);

}  // namespace smsrack::cluster
