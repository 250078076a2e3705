/// Writes a whole configuration for the modems that were found: what the packages ship, and an
/// entry for each modem.
///
/// A modem on a port of the board is named as its slot there, and has its power line; others are m0, m1, ...
#pragma once

#include "src/config/board.hpp"
#include "tools/smsrack/doctor/port_look.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smsrack::cli {

/// One port, under the name that is best kept in a configuration, and the short one.
struct Slot {
    std::string port = {};  ///< by-path where there is such a name: it stays with the socket
    std::string tty = {};
    PortLook look = {};
};

struct PlacedSlot {
    Slot found = {};
    std::string name = {};  ///< of the modem
    std::optional<config::PowerSettings> power = {};
};

/// Those that answer, in the order of the board, then the others as they were found. `tty_of`: what a port is a link to.
[[nodiscard]] std::vector<PlacedSlot> placed(
    std::span<const Slot> slots, const config::Board& board,
    const std::function<std::string(const std::string&)>& tty_of);

[[nodiscard]] std::string entries_text(std::span<const PlacedSlot> slots);

[[nodiscard]] std::string whole_config(std::span<const PlacedSlot> slots,
                                       const config::Board& board);

}  // namespace smsrack::cli
