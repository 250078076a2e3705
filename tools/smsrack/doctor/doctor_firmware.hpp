/// What `doctor` checks on a box with two slots: whose updates it accepts, for how long, and what a
/// change of slot left to the operator.
///
/// Threads: one; reads files alone.
#pragma once

#include "tools/smsrack/doctor/finding.hpp"
#include "tools/smsrack/firmware/firmware_box.hpp"

namespace smsrack::cli {

/// Empty where this is no box.
[[nodiscard]] Findings look_at_firmware(const FirmwareBox& box);

}  // namespace smsrack::cli
