/// Eight lines that always have something to send: first an ideal client, then the service, on the
/// same simulated modems in the same run.
///
/// Unit:    messages per second; milliseconds.
#pragma once

#include "src/base/result.hpp"
#include "tools/bench/questions.hpp"
#include "tools/rig/spread.hpp"
#include "tools/rig/usage.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::bench {

struct LinePlan {
    unsigned modems = 8;
    std::chrono::milliseconds service = {};  ///< fixed
    unsigned baud = 115'200;                 ///< 0: octets take no time
    std::chrono::seconds window = {};        ///< of each of both
};

struct LineFigures {
    double rate = 0;                  ///< in the window
    rig::Spread command_gap_ms = {};  ///< modem's answer to the next command
    rig::Spread entry_gap_ms = {};    ///< prompt to PDU
};

struct LineRun {
    std::optional<double> limit = {};  ///< wire and modems, of the PDUs that the service made
    LineFigures plain = {};
    LineFigures service = {};
    double seconds = 0;            ///< that it took
    std::size_t sent = 0;          ///< in that time; only without pacing
    std::size_t wanted = 0;        ///< messages that the service was given
    rig::Usage service_used = {};  ///< in its window
    rig::Usage modems_used = {};   ///< the same, by smsrack-sim
};

[[nodiscard]] Result<LineRun> run_lines(const Context& context, const LinePlan& plan);

/// What all questions on lines say of themselves.
[[nodiscard]] std::vector<std::string> conditions_of(const LinePlan& plan);

/// "smsrackd 0.42 cores (store-w 0.11, line-m 0.20), ..." over n seconds.
[[nodiscard]] std::string cores_text(const std::string& program, const rig::Usage& used,
                                     double seconds);

}  // namespace smsrack::bench
