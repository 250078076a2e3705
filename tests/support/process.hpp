/// Programs started by a test.
#pragma once

#include "tools/rig/process.hpp"

#include <chrono>
#include <string>

namespace smsrack::test {

using rig::Command;
using rig::Ending;
using rig::Process;

/// Runs a program to its end: how it ended and what it printed. Throws when it takes longer than
/// `within`.
struct Finished {
    Ending ending;
    std::string output;
};
[[nodiscard]] Finished run(Command command,
                           std::chrono::milliseconds within = std::chrono::seconds(20));

}  // namespace smsrack::test
