/// What one family of modems does in its own way, as data that GsmModem asks for.
///
/// A default is what the standard says, so that a family names only what it does otherwise. A second
/// family is one more of these, and a personality of the simulator.
/// Threads: any; constant data, which exists as long as the program.
/// Source:  3GPP TS 27.005, TS 27.007; the manual of the family.
#pragma once

#include "drivers/at/final_result.hpp"
#include "drivers/gsm/exchange/hand_rules.hpp"
#include "drivers/gsm/set_up/init_script.hpp"
#include "drivers/gsm/urc_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace smsrack::gsm {

/// What an Urc::event says.
enum class Event : std::uint8_t {
    restarted,  ///< it takes commands again
    sim_removed,
    sim_inserted,  ///< so one that was there has left, whether or not that was heard
    changed,       ///< SIM, network or the modem itself: what is waited for may be there
};

struct EventRow {
    int number;  ///< the first field of the URC
    Event means;
};

/// The sum that switches events on; see InitStep::events.
struct EventMask {
    unsigned wanted = 0;
    unsigned older_max = 0;  ///< the largest that older firmware takes
};

/// Places of the attempts left in the answer to InitStep::pin_attempts, from 0.
struct PinFields {
    std::size_t pin = 0;
    std::size_t pin2 = 1;
    std::size_t puk = 2;
    std::size_t puk2 = 3;
};

struct Profile {
    UrcTable urcs = {};
    std::span<const EventRow> events = {};  ///< another number means nothing
    EventMask event_mask = {};
    InitScript init = InitScript();
    PinFields pin_fields = {};
    at::Command restart = {.text = "AT+CFUN=1,1", .prefix = "+CFUN:"};
    /// InitStep::radio_on restarts it: nothing is asked until it says so, or for some seconds.
    bool radio_on_restarts = false;
    /// Final results that say it is busy; see is_busy().
    std::span<const at::FinalResult> busy = {};
    /// Causes of its own (+CMS ERROR from 512) that may come of a radio link that is kept (AT+CMMS).
    std::span<const int> link_faults = {};
    std::span<const HandRefusal> refusals = {};  ///< besides those of every modem
};

/// SIM busy, or the modem is starting: it will know in a moment.
[[nodiscard]] constexpr bool is_busy(const Profile& profile, at::FinalResult result) {
    constexpr at::FinalResult sim_busy{at::FinalKind::cme_error, 14};   // TS 27.007 9.2.1
    constexpr at::FinalResult sms_busy{at::FinalKind::cms_error, 314};  // TS 27.005 3.2.5
    return result == sim_busy || result == sms_busy ||
           std::ranges::find(profile.busy, result) != profile.busy.end();
}

}  // namespace smsrack::gsm
