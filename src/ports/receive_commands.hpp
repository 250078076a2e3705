/// Store commands on received PDUs: message segments, status reports, and the places that hold
/// them.
///
/// Threads, Errors: as CommandPort.
#pragma once

#include "src/ports/command.hpp"
#include "src/sms/inbound.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace smsrack::ports {

/// Keeps one received segment, unless StoreRules::judge_segment says that it was kept before; makes
/// the inbox row when its message is whole. The completion may acknowledge it to the modem.
struct KeepInbound {
    using Answer = InboundKept;
    InboundSegment segment;
};

/// Keeps a status report and applies it to the segment that StoreRules::choose_report picks.
struct KeepReport {
    using Answer = ReportKept;
    StatusReport report;
};

/// The modem no longer holds anything at this place of the SIM: an equal PDU that is kept from now
/// on is not the one that was read there before. Keeps its order with KeepInbound and KeepReport.
struct ForgetHeld {
    static constexpr Refused refused = Refused::insist;
    using Answer = void;
    SimId sim;
    HeldPlace place;
};

/// As ForgetHeld, for all places of one memory that are not in `indexes`.
struct ForgetHeldElsewhere {
    static constexpr Refused refused = Refused::insist;
    using Answer = void;
    SimId sim;
    HeldIn memory;
    std::vector<std::uint16_t> indexes = {};
};

/// Releases incomplete messages whose last segment came before `before`, flagged incomplete.
/// Answers how many.
struct ReleaseIncomplete {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = std::size_t;
    WallTime before;
    std::size_t limit = 0;
};

}  // namespace smsrack::ports
