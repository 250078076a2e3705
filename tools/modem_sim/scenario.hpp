/// A scenario of faults: orders as on the control socket, each with the time when it is due.
///
///     {"t": 90.5, "do": "hang", "modem": 3}
///
/// A file has one a line, in order of time; empty lines and those that begin with # are for people.
/// docs/smsrack-sim.md has examples.
/// Unit:    `t` in seconds after the start; 100,000 steps.
/// Errors:  not_found: no such file; bad_request: which line is wrong, and why.
#pragma once

#include "src/base/result.hpp"
#include "src/wire/json.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace smsrack::modem_sim {

struct ScenarioStep {
    std::chrono::milliseconds at = {};
    wire::Json order = {};
};

/// Every step is an order that a rack of n modems takes.
[[nodiscard]] Result<std::vector<ScenarioStep>> parse_scenario(std::string_view text,
                                                               std::size_t modems);
[[nodiscard]] Result<std::vector<ScenarioStep>> read_scenario(const std::filesystem::path& path,
                                                              std::size_t modems);

}  // namespace smsrack::modem_sim
