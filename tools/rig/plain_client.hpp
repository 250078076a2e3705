/// An ideal client: it sends one PDU repeatedly on all ports, answers a modem at once and stores
/// nothing. Its rate is what wire, modems and this machine allow.
///
/// Threads: one poll loop, that of the caller.
/// Errors:  no_device: a port can't be opened; timeout: a modem did not get ready, or was silent
///          for 10 s with a submit in flight; protocol: a modem refused; closed: called off.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "tools/rig/interrupt.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace smsrack::rig {

struct PlainPlan {
    std::vector<std::filesystem::path> ports = {};
    std::string pdu_hex = {};  ///< service centre field first
    std::size_t tpdu_octets = 0;
    SteadyTime until = {};  ///< begins no submit after
};

/// How many were answered.
[[nodiscard]] Result<std::size_t> run_plain_client(const PlainPlan& plan,
                                                   const Interrupt& interrupt);

}  // namespace smsrack::rig
