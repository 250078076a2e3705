/// Reads the log of smsrack-sim: the truth about what reached the network, and when.
///
/// Time:    on the monotonic clock of this machine, so of ours too.
/// Errors:  not_found; protocol where a line is not one of smsrack-sim's.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::rig {

/// A submit that the network accepted; its answer left at `at`.
struct SimSubmit {
    SteadyTime at = {};
    unsigned modem = 0;
    std::string to = {};
    std::size_t pdu_octets = 0;  ///< with the service centre field
    std::chrono::microseconds service = {};
    std::chrono::microseconds command_gap = {};  ///< modem's answer to next command
    std::chrono::microseconds answer_late = {};  ///< of that answer: the simulator's own delay
    std::chrono::microseconds entry_gap = {};    ///< prompt to PDU
    std::chrono::microseconds prompt_late = {};  ///< of that prompt
};

/// A message that reached the modem; its +CMTI, or +CMT with its PDU, began to leave at `at`.
struct SimInbound {
    SteadyTime at = {};
    unsigned modem = 0;
    std::uint64_t id = 0;
};

/// A status report that reached the modem.
struct SimReport {
    SteadyTime at = {};
    std::string to = {};
};

struct SimLog {
    std::vector<SimSubmit> submits = {};    ///< in order of the file
    std::vector<SimInbound> received = {};  ///< each once, in order of time
    std::vector<SimReport> reports = {};    ///< in order of the file
    /// How often each fault began, by its word on the control socket; and what came of it.
    std::map<std::string, unsigned> faults = {};
};

[[nodiscard]] Result<SimLog> read_sim_log(const std::filesystem::path& path);
/// A last line without its end is not whole and does not count.
[[nodiscard]] Result<SimLog> parse_sim_log(std::string_view text);

/// Messages per second within [from, to): for each modem what lies between its first and its last,
/// so neither the window's edges nor what ran before count.
[[nodiscard]] double steady_rate(const std::vector<SimSubmit>& submits, SteadyTime from,
                                 SteadyTime to);

/// Messages per second of each modem within [from, to): the time between two submits counts as one
/// message spread over it, so that the window's edges cost nothing and a line that stops shows. The
/// log must continue after `to`: what a line did after its last submit is not known, and is
/// nothing.
[[nodiscard]] std::map<unsigned, double> line_rates(const std::vector<SimSubmit>& submits,
                                                    SteadyTime from, SteadyTime to);

}  // namespace smsrack::rig
