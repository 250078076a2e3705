/// `smsrack names KIND`, for completion: lists the names that the service knows, one per line. It
/// is not listed in the help.
///
/// Errors:  none: a completion has nowhere to say one. Where the service does not answer within a second there are no names.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct NamesOptions {
    std::string kind = {};  ///< "modem", "group", "batch", "trigger" or "client"
};

[[nodiscard]] Outcome<> run(const NamesOptions& options, Context& context);

}  // namespace smsrack::cli
