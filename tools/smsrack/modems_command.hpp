/// `smsrack modems`: a line for each modem. `smsrack modem show NAME`: all about one.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct ModemsOptions {};

struct ModemShowOptions {
    std::string name = {};
};

[[nodiscard]] Outcome<> run(const ModemsOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const ModemShowOptions& options, Context& context);

}  // namespace smsrack::cli
