/// `smsrack watch`: shows a live screen of the rack. If standard output is not a terminal, it
/// prints the same as plain text, and with --json an object each time.
///
/// Time:    asks the service every `every`; while it does not answer the last picture stays, and is marked.
/// Errors:  of the first questions alone: later ones are shown, and asked again. Without a terminal each one ends it.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>

namespace smsrack::cli {

struct WatchOptions {
    double every_s = 1;
    std::uint64_t count = 0;  ///< ends after this many updates; 0: never by itself
};

[[nodiscard]] Outcome<> run(const WatchOptions& options, Context& context);

}  // namespace smsrack::cli
