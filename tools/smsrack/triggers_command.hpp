/// `smsrack triggers`, `trigger show NAME` and `trigger rebuild NAME`.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct TriggersOptions {};

struct TriggerShowOptions {
    std::string name = {};
};

struct TriggerRebuildOptions {
    std::string name = {};
};

[[nodiscard]] Outcome<> run(const TriggersOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const TriggerShowOptions& options, Context& context);
/// Until it has ended, with progress; Ctrl-C ends the looking alone.
[[nodiscard]] Outcome<> run(const TriggerRebuildOptions& options, Context& context);

}  // namespace smsrack::cli
