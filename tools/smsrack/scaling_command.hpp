/// `smsrack scaling`: shows how many modems are working, and the last decisions in words.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>

namespace smsrack::cli {

struct ScalingOptions {
    std::uint32_t limit = 20;  ///< decisions, the newest
};

[[nodiscard]] Outcome<> run(const ScalingOptions& options, Context& context);

}  // namespace smsrack::cli
