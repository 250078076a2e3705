/// `smsrack pause` and `smsrack resume`: pause and resume the whole rack, a group, or a batch.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct PauseOptions {
    bool resume = false;
    std::string group = {};  ///< at most one of the two; none: the rack
    std::string batch = {};
    bool create = false;  ///< of a batch that no message has yet
};

[[nodiscard]] Outcome<> run(const PauseOptions& options, Context& context);

}  // namespace smsrack::cli
