/// `smsrack model scaling`: replays a load trace through the scaling controller; needs no service.
///
/// Errors:  bad_data for a trace that can't be read, with the numbers of its lines; usage for
///          settings out of their range.
/// Source:  docs/man/smsrack.1, "model scaling".
#pragma once

#include "src/scaling/policy.hpp"
#include "src/scaling/rules.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct ModelScalingOptions {
    std::string trace = {};  ///< file; "-": standard input
    scaling::PolicyName policy = scaling::PolicyName::smsrack;
    scaling::ScalingRules rules = {};
};

[[nodiscard]] Outcome<> run(const ModelScalingOptions& options, Context& context);

}  // namespace smsrack::cli
