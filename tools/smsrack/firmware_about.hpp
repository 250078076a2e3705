/// What the running release reports of itself.
#pragma once

#include "tools/smsrack/firmware_slots.hpp"

namespace smsrack::cli {

/// By `smsrackd --about`; where that says nothing, what this program knows, which is of the same release. Without `sha256`.
[[nodiscard]] SlotNote about_this_release(const FirmwareBox& box);

}  // namespace smsrack::cli
