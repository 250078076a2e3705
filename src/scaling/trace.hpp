/// Reads a load trace from the text of a file.
///
/// `seconds,load[,cpu][,occupancy][,forecast][,crash]`, the columns in any order below a header; a row
/// holds until the next; the last row is the end.
/// Errors:  all lines that are wrong, with their numbers.
/// Source:  docs/man/smsrack.1, "model scaling".
#pragma once

#include "src/scaling/sample.hpp"

#include <chrono>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::scaling {

struct TraceRow {
    double seconds = 0;
    Sample sample = {};
};

/// At least one row; seconds rise.
using Trace = std::vector<TraceRow>;

struct TraceProblem {
    std::size_t line = 0;      ///< from 1; 0: the whole text
    std::string message = {};  ///< what is wrong and what was expected
};

[[nodiscard]] std::expected<Trace, std::vector<TraceProblem>> read_trace(std::string_view text);

/// One sample each `period` from the time of the first row to that of the last.
[[nodiscard]] std::vector<Sample> samples_of(const Trace& trace, std::chrono::milliseconds period);

}  // namespace smsrack::scaling
