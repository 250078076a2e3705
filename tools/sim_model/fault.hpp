/// What can be made to go wrong in a modem while it runs, and the words for it on the control
/// socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::sim {

enum class FaultKind : std::uint8_t {
    hang,  ///< takes nothing and says nothing; a submit in hand is accepted, its answer lost
    unhang,
    reboot,       ///< restarts; a submit in hand is not accepted
    lose_answer,  ///< the next `count` submits are accepted and never answered
    late_answer,  ///< the next `count` answers come `delay` after acceptance
    lose_report,  ///< the next `count` status reports never come
    cms_error,    ///< the next `count` submits are refused with `code`
    network_lost,
    network_back,
    sim_removed,
    sim_inserted,
    storage_full,  ///< the SIM takes nothing more, whatever is deleted
    storage_free,
    garbage,      ///< `count` random octets
    split,        ///< the next `count` octets leave one by one
    interleave,   ///< a URC between the next `count` commands and their responses
    drop_prompt,  ///< the next `count` prompts are not seen
};

struct Fault {
    FaultKind kind = FaultKind::hang;
    int count = 1;
    int code = 500;           ///< +CMS ERROR number of cms_error
    bool at_command = false;  ///< cms_error in place of the prompt rather than after the PDU
    std::chrono::milliseconds delay = std::chrono::milliseconds::zero();
};

[[nodiscard]] std::string_view fault_name(FaultKind kind);
[[nodiscard]] std::optional<FaultKind> fault_of(std::string_view name);

}  // namespace smsrack::sim
