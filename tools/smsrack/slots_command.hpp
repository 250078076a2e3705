/// `smsrack slots`: identifies the modem at every serial port, and prints ready-made [[modem]]
/// entries, or writes a whole configuration with them. Needs no service; ports that are in use are
/// shown with the program that holds them.
///
/// Errors:  failed: the file to be written is there already, or can't be written; bad_data: the board's file has a fault.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/port_look.hpp"

#include <string>
#include <vector>

namespace smsrack::cli {

struct SlotsOptions {
    std::string dir = {};    ///< empty: /dev/serial/by-path, /dev/ttyUSB*, ttyACM*, ttyS*
    std::string board = {};  ///< file that names its slots; empty: none
    std::string write = {};  ///< configuration to be made; empty: none
};

[[nodiscard]] Outcome<> run(const SlotsOptions& options, Context& context);

/// One port, under the name that is best kept in a configuration, and the short one.
struct Slot {
    std::string port = {};  ///< by-path where there is such a name: it stays with the socket
    std::string tty = {};
    PortLook look = {};
};

}  // namespace smsrack::cli
