/// The parts of one modem, which the commands work on. Internal to the model: its users see
/// modem_model.hpp.
#pragma once

#include "src/base/random.hpp"
#include "tools/modem_model/faults/fault_plan.hpp"
#include "tools/modem_model/journal.hpp"
#include "tools/modem_model/output.hpp"
#include "tools/modem_model/preferences.hpp"
#include "tools/modem_model/settings.hpp"
#include "tools/modem_model/sms/sms_memory.hpp"
#include "tools/modem_model/sms/smsc.hpp"
#include "tools/modem_model/states.hpp"

#include <optional>
#include <string>
#include <vector>

namespace smsrack::modem_sim {

/// The SIM. It outlives restarts and has its own numbering of messages.
struct Card {
    bool present = true;
    bool unlocked = true;
    int pin_attempts = 3;
    std::string pin = {};  ///< empty: it asks for none
    int last_mr = 0;       ///< EF-SMSS of 3GPP TS 31.102
    std::string centre = std::string(service_centre);
    SmsMemory sms;

    [[nodiscard]] bool usable() const { return present && unlocked; }
};

/// A SIM that was taken out, with what waits for it in the network.
struct TakenOut {
    Identity identity = {};
    Card card;
    Smsc smsc = {};
};

/// What an entry after the prompt is for.
enum class EntryFor : std::uint8_t { send, write, acknowledge };

struct Entry {
    EntryFor purpose = EntryFor::send;
    std::size_t tpdu_length = 0;
    std::string typed = {};
    std::string number = {};  ///< text mode: to whom; empty: `typed` is a PDU
    bool card_left = false;   ///< the SIM that it began with was taken out
};

/// A submit in the hand of the network.
struct InFlight {
    std::string pdu = {};
    Submit submit = {};
    bool from_memory = false;  ///< CMSS: the answer is +CMSS
    bool card_left = false;    ///< the SIM that it began with was taken out
    std::chrono::microseconds service = {};
    SteadyTime decided_at = never;   ///< when the network says yes or no
    SteadyTime answered_at = never;  ///< set once decided
    std::string answer = {};         ///< empty: lost
};

/// The answer to an AT+CMGD that takes long; until then the modem is busy.
struct SlowErasure {
    SteadyTime answered_at = never;
    std::string answer = {};
    bool is_ok = true;
};

/// An incoming call.
struct Call {
    int rings_left = 0;
    SteadyTime ring_at = never;
    std::string from = {};
};

struct ModemStats {
    std::uint64_t submits = 0;
    std::uint64_t refused = 0;
    std::uint64_t reports = 0;  ///< that reached the modem
    std::uint64_t inbound = 0;  ///< segments that reached the modem
    std::uint64_t deleted = 0;
    std::uint64_t lost_octets = 0;  ///< came while the host did not listen
    std::uint64_t calls_hung_up = 0;
    std::uint64_t rate_changes = 0;    ///< by AT+IPR
    std::uint64_t refused_events = 0;  ///< pairs that a state table has no row for
};

struct Core {
    Core(ModemSettings modem_settings, Random& modem_random, Journal& modem_journal);

    ModemSettings settings;
    Random& random;
    Journal& journal;

    Output output = {};
    Preferences prefs = {};
    Preferences saved = {};  ///< by AT&W and AT+CSAS
    int wind_mask = 0;

    Life life = Life::off;
    SteadyTime life_at = never;  ///< the next step of the start
    Coverage coverage = Coverage::home;

    InputMode input = InputMode::command;
    Entry entry = {};
    std::optional<InFlight> in_flight = {};
    std::optional<SlowErasure> erasing = {};
    bool confirms = false;  ///< something was erased or acknowledged, and its answer is to come

    Card card;
    SmsMemory reports;
    SmsMemory broadcasts;
    SmsMemory phone;
    Smsc smsc = {};
    std::optional<Delivery> unacknowledged = {};  ///< +CMT or +CDS that wants +CNMA
    SteadyTime acknowledge_by = never;

    SteadyTime ussd_at = never;
    Call call = {};
    std::string ussd_line = {};  ///< comes then
    FaultPlan faults = {};
    unsigned urcs_inside = 0;           ///< said within an answer so far
    std::vector<TakenOut> drawer = {};  ///< SIMs that were in this modem
    ModemStats stats = {};
    HostGaps gaps = {};
    std::string last_destination = {};  ///< of the last accepted submit

    [[nodiscard]] bool registered() const {
        return life == Life::ready && prefs.now.full_function &&
               (coverage == Coverage::home || coverage == Coverage::roaming);
    }
    [[nodiscard]] SmsMemory& memory(Memory which);
    /// The memory that CMGR, CMGL and CMGD work upon.
    [[nodiscard]] SmsMemory& reading_memory() { return memory(prefs.now.reading); }
    /// The one that CMGW and CMSS work upon.
    [[nodiscard]] SmsMemory& writing_memory() { return memory(prefs.now.writing); }
    [[nodiscard]] bool apply(LifeEvent event);
    [[nodiscard]] bool apply(InputEvent event);
};

}  // namespace smsrack::modem_sim
