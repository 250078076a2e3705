/// Store commands on SIM cards: their rows, quota, PINs and slots.
///
/// Threads, Errors: as CommandPort.
#pragma once

#include "src/base/ids.hpp"
#include "src/ports/command.hpp"
#include "src/ports/pin.hpp"
#include "src/ports/slot.hpp"
#include "src/sms/sim_usage.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace smsrack::ports {

/// Finds or makes the row of a SIM; the same names give the same id for ever.
struct IdentifySim {
    using Answer = SimId;
    std::string iccid = {};
    std::string imsi = {};
};

/// What a SIM has sent recently.
struct UsedQuota {
    SimUsage usage = {};
    std::vector<std::uint64_t> recipients = {};  ///< hashes, of the month asked for
    /// card_name(); the ICCID also where the card does not say it this time.
    std::string card = {};
};

/// Reads what the SIM has sent, after all commands posted before; recipients of `month` only.
struct ReadQuota {
    using Answer = UsedQuota;
    SimId sim;
    std::int64_t month = 0;
};

/// May this PIN be entered? True: the try is on disk, so that a value that failed is not tried
/// again, whatever happens to this process. False: it failed before, or its outcome was never heard
/// and the card has fewer attempts than then.
struct BeginPinTry {
    using Answer = bool;
    PinTry pin;
    WallTime at;
};

/// What the card said to the PIN.
struct EndPinTry {
    static constexpr Refused refused = Refused::insist;
    using Answer = void;
    PinTry pin;
    bool taken = false;
};

/// Answers what was in the slot before; what is seen now replaces it.
struct PairSlot {
    using Answer = SlotKnown;
    SlotSeen seen;
};

}  // namespace smsrack::ports
