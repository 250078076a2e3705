/// `smsrack modem drain NAME` and `smsrack modem resume NAME`: take a modem out of work without a
/// loss, and back.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <chrono>
#include <string>

namespace smsrack::cli {

struct ModemDrainOptions {
    std::string modem = {};
    bool no_wait = false;
    std::chrono::seconds wait_max{600};  ///< for what it holds; a submit takes two minutes at most
};

struct ModemResumeOptions {
    std::string modem = {};
};

/// Until the line holds nothing, with progress. try_later: it still does after wait_max, or Ctrl-C
/// came; the line stays blocked.
[[nodiscard]] Outcome<> run(const ModemDrainOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const ModemResumeOptions& options, Context& context);

}  // namespace smsrack::cli
