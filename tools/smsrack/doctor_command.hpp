/// `smsrack doctor`: says what is wrong with box, service and lines, and what to do; one line each.
///
/// Where the service runs it is asked; where it does not, the ports are asked directly.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct DoctorOptions {
    std::string config = {};
};

/// done: all is well; failed: something is not.
[[nodiscard]] Outcome<> run(const DoctorOptions& options, Context& context);

}  // namespace smsrack::cli
