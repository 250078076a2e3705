/// Submits messages as NDJSON: one connection, as fast as the service accepts the lines.
///
/// Errors:  those of HttpClient; protocol where the answer is not 200.
#pragma once

#include "src/base/result.hpp"
#include "tools/rig/interrupt.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace smsrack::rig {

struct BulkPlan {
    std::filesystem::path socket = {};
    std::size_t lines_max = 0;                         ///< ends after this many
    std::optional<std::chrono::seconds> lasting = {};  ///< or after this long
    unsigned run = 0;                                  ///< of MessageForm
    std::uint64_t first_serial = 0;                    ///< of MessageForm
    std::optional<unsigned> priority = {};             ///< of MessageForm
};

struct BulkResult {
    std::size_t accepted = 0;
    std::size_t refused = 0;
    double seconds = 0;      ///< from the first line sent to the last answer
    double cpu_seconds = 0;  ///< of this client
};

[[nodiscard]] Result<BulkResult> run_bulk(const BulkPlan& plan, const Interrupt& interrupt);

}  // namespace smsrack::rig
