/// Decisions that the store asks for inside a transaction; the core makes them, so that db has none
/// of its own.
#pragma once

#include "src/sms/error_table.hpp"
#include "src/sms/inbound.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::ports {

/// A segment that a status report may speak of: same SIM, and an attempt with this TP-MR, or
/// without one (uncertain).
struct ReportCandidate {
    AttemptId attempt;
    MessageId message;
    std::uint8_t segment = 0;
    std::string to;
    WallTime started_at;
    WallTime
        ended_at;  ///< when its outcome was known or given up; started_at where it is still open
    WallTime expires_at = {};  ///< of its message: until then the centre may have tried
    std::optional<WallTime> report_scts = {};  ///< TP-SCTS of a report that was matched before
    bool uncertain = false;                    ///< no TP-MR: its answer never came
    bool reported = false;                     ///< a final report was applied already
};

/// What the sender of an answer wants.
enum class OptOutWish : std::uint8_t { none, stop, start };

struct StoreRules {
    /// What a status report does to its segment; nothing: it stays as it is.
    const ErrorTable* errors = nullptr;

    /// Index of the candidate that the report speaks of, or nothing.
    std::optional<std::size_t> (*choose_report)(const StatusReport&,
                                                std::span<const ReportCandidate>) = nullptr;

    /// The text (UTF-8) or the data of a message, of its segments in order of `seq`; missing ones
    /// are left out.
    InboundText (*join_segments)(std::span<const InboundSegment>) = nullptr;

    /// What a received text says of further messages; empty: no words are known.
    std::function<OptOutWish(std::string_view)> wish_of = {};
};

}  // namespace smsrack::ports
