/// Decisions that the store asks for inside a transaction; the core makes them, so that db has none
/// of its own.
#pragma once

#include "src/sms/error_table.hpp"
#include "src/sms/inbound.hpp"
#include "src/sms/level.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::ports {

/// Where the segment of an attempt is with its report.
enum class ReportStanding : std::uint8_t {
    open,      ///< its answer is not known yet: the report may have overtaken it
    in_doubt,  ///< its answer never came
    given_up,  ///< likewise, and its message has ended
    waits,     ///< taken by the network
    reported,  ///< a final report was applied already
};

/// The reference of an attempt, in addition to the TP-MR of a report.
enum class ReportReference : std::uint8_t {
    same,
    torn,  ///< the modem's answer said what is left of it where octets are lost (may_be_left_of())
    none,  ///< there was no answer, or no number in it
};

/// A segment that a status report may speak of: same SIM, a report was asked for, and its reference is not another one.
struct ReportCandidate {
    AttemptId attempt;
    MessageId message;
    std::uint8_t segment = 0;
    std::string to;
    WallTime started_at;
    WallTime ended_at;         ///< when its outcome was known or given up; `open`: not yet
    WallTime expires_at = {};  ///< of its message: until then the centre may have tried
    std::optional<WallTime> report_scts = {};  ///< TP-SCTS of a report that was matched before
    ReportStanding standing = ReportStanding::waits;
    ReportReference reference = ReportReference::same;
};

struct ReportChoice {
    std::size_t index = 0;  ///< of the candidate
    bool is_sure = true;    ///< false: a candidate that was not looked for as yet may fit better

    friend bool operator==(const ReportChoice&, const ReportChoice&) = default;
};

/// A PDU that was kept before, of the same SIM, content and TP-SCTS as one that arrives.
struct KeptBefore {
    std::optional<HeldPlace> held_at = {};  ///< nullopt: the modem holds it no longer
    WallTime received_at = {};
    /// from the modem, the last time: before received_at where it waited for the store
    WallTime read_at = {};
};

/// What an arriving PDU is, by evidence; of two the higher one is the surer one.
enum class Arrival : std::uint8_t {
    another,       ///< one that was not kept before
    maybe_repeat,  ///< kept, and marked: it is uncertain
    repeat,        ///< kept before: it is only acknowledged again
};

struct Judgement {
    Arrival is = Arrival::another;
    std::size_t of = 0;  ///< index of the one before, with repeat and maybe_repeat
};

struct AssemblyPart {
    std::uint8_t seq = 1;
    std::optional<WallTime> scts = {};
};

/// A message of the same sender, SIM, reference and length that is not whole.
struct AssemblyCandidate {
    std::vector<AssemblyPart> parts = {};
    bool given_out = false;  ///< incomplete, since its parts took too long
};

/// What the sender of an answer wants.
enum class OptOutWish : std::uint8_t { none, stop, start };

/// Whose STOP counts, and which messages go out in spite of it. A sender's number is easily forged, and no sender shall silence an
/// alarm by it.
struct OptOutRules {
    /// STOP counts if the group that it came to has written to its sender within this time; 0: from any sender.
    std::chrono::seconds written{0};
    /// of lines; one that is not named: any group's
    std::map<std::string, std::string, std::less<>> groups = {};
    std::set<std::string, std::less<>> exempt_groups = {};
    std::optional<Level> exempt_level = {};  ///< this and above

    [[nodiscard]] bool exempts(std::string_view group, Level level) const {
        return exempt_groups.contains(group) || (exempt_level && level >= *exempt_level);
    }
};

struct StoreRules {
    /// What a status report does to its segment; null: it stays as it is.
    const ErrorTable* errors = nullptr;

    /// The candidate that the report speaks of. nullopt: of none, or it is not known yet.
    /// It is asked with those of the report's TP-MR, open ones and those in doubt; then, where nothing is sure,
    /// with all others too.
    std::optional<ReportChoice> (*choose_report)(const StatusReport&,
                                                 std::span<const ReportCandidate>) = nullptr;

    /// Whether a segment was kept before; `before`: newest first. The seconds: within them a network sends
    /// the same one again.
    Judgement (*judge_segment)(const InboundSegment&, std::span<const KeptBefore> before,
                               std::chrono::seconds repeat_window) = nullptr;

    /// Whether a report was kept before; never maybe_repeat.
    Judgement (*judge_report)(const StatusReport&, std::span<const KeptBefore> before) = nullptr;

    /// Index of the message that a part with a sound ConcatInfo belongs to, oldest first; nullopt: it begins one.
    std::optional<std::size_t> (*choose_assembly)(const InboundSegment&,
                                                  std::span<const AssemblyCandidate>) = nullptr;

    /// The text (UTF-8) or the data of a message, of its segments in order of `seq`; missing ones
    /// are left out.
    InboundText (*join_segments)(std::span<const InboundSegment>) = nullptr;

    /// What a received text says of further messages; empty: no words are known.
    std::function<OptOutWish(std::string_view)> wish_of = {};
    OptOutRules opt_out = {};

    /// Whether this box may begin messages now that it shares with others: not once it has been alone
    /// for too long. Empty: it may. Called on the writing thread, in the transaction of each attempt.
    std::function<bool()> may_begin_shared = {};

    /// Whether this box knows the rules of its fleet well enough to begin a message of this level: not of each, once
    /// it has not heard of them for too long. Empty: it does. As may_begin_shared.
    std::function<bool(Level)> knows_rules = {};
    /// Opt-outs, pauses and cancelled batches are those of a fleet.
    bool shares_rules = false;
};

}  // namespace smsrack::ports
