/// What `doctor` checks of the gate: an upgrade of the packages leaves the one that runs, until a person restarts it (decision 0042).
///
/// The judging function is pure; the other one reads /proc.
#pragma once

#include "tools/smsrack/doctor/finding.hpp"

#include <optional>
#include <string>

namespace smsrack::cli {

struct RunningGate {
    std::string holder = {};               ///< "smsrack-gate (pid 812)"
    std::optional<std::string> unit = {};  ///< of systemd; nullopt: it is in none
    std::string program = {};              ///< as /proc/PID/exe has it
};

/// Nullopt: it runs what is on the disk.
[[nodiscard]] std::optional<Finding> judge_gate(const RunningGate& gate);
/// Those that run an old program, as far as /proc shows them to this user.
[[nodiscard]] Findings look_at_gates();

}  // namespace smsrack::cli
