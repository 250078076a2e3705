/// The faults that can be injected into a running modem, and their names on the control socket and
/// in scenario files. docs/smsrack-sim.md says what each does.
///
/// Unit:    durations as typed; `count` is how often, or how many octets or rings.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

enum class FaultKind : std::uint8_t {
    hang,   ///< takes nothing and says nothing; a submit in flight is accepted, its answer lost
    stall,  ///< the same, but AT+CFUN=1 is heard
    unhang,
    reboot,       ///< restarts; a submit in flight is not accepted
    reboot_loop,  ///< restarts `count` times, each time after +WIND: 3
    unplug,
    replug,
    lose_answer,  ///< the next `count` submits are accepted and never answered
    late_answer,  ///< the next `count` answers come `delay` after acceptance
    cms_error,    ///< the next `count` submits are refused with `code`
    drop_prompt,  ///< the next `count` prompts are not seen
    network_lost,
    denied,   ///< the network refuses the SIM
    roaming,  ///< registered with another network
    network_back,
    sim_removed,
    sim_inserted,
    sim_swapped,   ///< out, and the SIM of the modem with the number `code` in
    sim_busy,      ///< the next `count` commands that need the SIM are refused
    pin_wanted,    ///< restarts, and the SIM asks for the PIN `text`, `count` attempts left
    puk_wanted,    ///< restarts, and no attempt is left
    centre_lost,   ///< the SIM has no number of a service centre
    storage_full,  ///< the SIM takes nothing more, whatever is deleted
    storage_free,
    lose_report,        ///< the next `count` status reports never come
    early_report,       ///< the next `count` come `delay` before the answer to their submit
    late_report,        ///< the next `count` come this much later
    temporary_report,   ///< before the next `count` comes a temporary one, `delay` earlier
    report_status,      ///< the next `count` say the TP-Status `code`
    report_zone,        ///< the next `count` have a clock `code` quarters of an hour ahead
    duplicate_inbound,  ///< the next `count` received come again, `delay` later
    dead_clock,         ///< the next `count` messages have a useless TP-SCTS, of the kind `code`
    same_reference,     ///< the next `count` long messages have one concatenation reference
    undecodable,        ///< `count` unreadable PDUs come
    lose_urc,           ///< the next `count` URCs are not said
    erase_refused,      ///< the next `count` AT+CMGD are refused with `code`; half of them erase
    erase_slow,         ///< the next `count` AT+CMGD are answered `delay` later
    torn_list_end,      ///< the OK of the next `count` AT+CMGL is torn by a URC
    ring,               ///< a call; after `count` rings the caller gives up
    garbage,            ///< `count` random octets
    split,              ///< the next `count` octets leave one by one
    interleave,         ///< a URC between the next `count` commands and their responses
    lose_octets,        ///< each of the next `count` answers loses 1 to 6, by `code` percent
    urc_inside,         ///< a URC inside each of the next `count` answers, by `code` percent
    torn_reference,  ///< the next `count` +CMGS lines lose their last digit, or a URC cuts it off
    rate_ignored,    ///< the next `count` AT+IPR= are answered OK, and the rate stays
    rate_lossy,      ///< above `code` baud one octet of about 50 is lost, both ways
    rate_clean,
};

inline constexpr std::size_t fault_kinds = static_cast<std::size_t>(FaultKind::rate_clean) + 1;

struct Fault {
    FaultKind kind = FaultKind::hang;
    int count = 1;
    int code = 500;           ///< as FaultKind says
    bool at_command = false;  ///< cms_error in place of the prompt rather than after the PDU
    std::chrono::milliseconds delay = std::chrono::milliseconds::zero();
    std::string text = {};
};

/// A fault, its word, and what it is like where nothing else is said.
struct FaultRow {
    FaultKind kind;
    std::string_view name;
    int count;
    int count_max;
    int code;
    std::chrono::milliseconds delay;
    std::string_view text;
    std::optional<FaultKind> ended_by;  ///< of one that lasts
    int weight;                         ///< of FaultRain: how often among the others
};

[[nodiscard]] std::span<const FaultRow> faults();
[[nodiscard]] const FaultRow& fault_row(FaultKind kind);
/// Null where there is no such word.
[[nodiscard]] const FaultRow* find_fault(std::string_view name);
/// As it is where nothing else is said.
[[nodiscard]] Fault make_fault(FaultKind kind);

}  // namespace smsrack::modem_sim
