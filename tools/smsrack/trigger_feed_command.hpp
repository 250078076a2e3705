/// `smsrack trigger feed NAME [FILE]`: feeds JSON Lines into a trigger.
///
/// Each event that was decided is on disk, and one that comes twice is a repeat: a feed that broke
/// off continues with --from-line, or starts again.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <string>

namespace smsrack::cli {

struct TriggerFeedOptions {
    std::string name = {};
    std::string file = "-";
    std::uint64_t from_line = 1;
};

[[nodiscard]] Outcome<> run(const TriggerFeedOptions& options, Context& context);

}  // namespace smsrack::cli
