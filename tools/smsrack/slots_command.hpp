/// `smsrack slots`: asks every serial port who it is, and prints ready-made [[modem]] entries. Needs
/// no service; ports that it holds are shown with who holds them.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/port_look.hpp"

#include <span>
#include <string>
#include <vector>

namespace smsrack::cli {

struct SlotsOptions {
    std::string dir = {};  ///< empty: /dev/serial/by-path, /dev/ttyUSB*, ttyACM*, ttyS*
};

[[nodiscard]] Outcome<> run(const SlotsOptions& options, Context& context);

/// One port, under the name that is best kept in a configuration, and the short one.
struct Slot {
    std::string port = {};  ///< by-path where there is such a name: it stays with the socket
    std::string tty = {};
    PortLook look = {};
};

/// [[modem]] entries for those that answer.
[[nodiscard]] std::string entries_text(std::span<const Slot> slots);

}  // namespace smsrack::cli
