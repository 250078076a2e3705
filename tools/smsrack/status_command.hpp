/// `smsrack status`: shows the rack at a glance.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

namespace smsrack::cli {

struct StatusOptions {};

[[nodiscard]] Outcome<> run(const StatusOptions& options, Context& context);

}  // namespace smsrack::cli
