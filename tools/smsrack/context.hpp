/// What every command gets in addition to its own options.
#pragma once

#include "tools/smsrack/screen/console.hpp"
#include "tools/smsrack/screen/time_style.hpp"

#include <string>

namespace smsrack::cli {

struct Context {
    Console& console;
    std::string socket;             ///< of the service
    bool socket_given = false;      ///< by --socket or SMSRACK_SOCKET, rather than the usual one
    bool json = false;              ///< for programs: JSON instead of tables
    TimeStyle times = TimeStyle{};  ///< of what people read; JSON always has UTC
};

}  // namespace smsrack::cli
