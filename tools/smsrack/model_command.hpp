/// `smsrack model mmc`: prints the M/M/c figures of a rack, or the number of modems required for a
/// given load.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::cli {

struct ModelMmcOptions {
    double lambda = 0;
    double mu = 0;
    std::optional<std::uint32_t> servers = {};
    std::optional<double> target_wait = {};  ///< seconds
};

[[nodiscard]] Outcome<> run(const ModelMmcOptions& options, Context& context);

}  // namespace smsrack::cli
