/// The words in which boxes pass what a SIM has sent through the engine, and keep what they heard: JSON.
///
/// Errors:  bad_request: it is not what a box has written.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/ports/sim_shares.hpp"
#include "src/sms/sim_usage.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::cluster {

/// Dated by the clock of the box that writes it. Its recipients travel by themselves.
[[nodiscard]] std::string form_of(const SimUsage& usage);
/// `lead`: of the reader's clock before the writer's; nullopt: not known, and minutes and hours are as recent as can be.
/// `now`: by the reader's clock, and nothing is dated later. Nothing leaves its window too early.
[[nodiscard]] Result<ports::SimPart> part_of(std::string_view form,
                                             std::optional<std::chrono::milliseconds> lead,
                                             WallTime now);

/// Without `elsewhere`.
[[nodiscard]] std::string form_of(const ports::SimShare& share);
[[nodiscard]] Result<ports::SimShare> share_of(std::string_view form);

}  // namespace smsrack::cluster
