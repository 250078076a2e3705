/// What every command is given beside its own options.
#pragma once

#include "tools/smsrack/console.hpp"

#include <string>

namespace smsrack::cli {

struct Context {
    Console& console;
    std::string socket;  ///< of the service
    bool json = false;   ///< for programs: JSON instead of tables
};

}  // namespace smsrack::cli
