/// `smsrack cancel ID`: cancels a message that is still queued.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct CancelOptions {
    std::string id = {};
};

[[nodiscard]] Outcome<> run(const CancelOptions& options, Context& context);

}  // namespace smsrack::cli
