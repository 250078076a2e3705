#include "tools/smsrack/pdu_command.hpp"

#include "tools/pdu_json/line_codec.hpp"
#include "tools/pdu_json/line_filter.hpp"

#include <system_error>
#include <unistd.h>

namespace smsrack::cli {
namespace {

/// Straight from descriptor to descriptor: the console would keep all that is written.
Outcome<> filter(tools::LineWorker& worker) {
    const auto all_good = tools::filter_lines(STDIN_FILENO, STDOUT_FILENO, worker);
    if (!all_good) {
        return failure(ExitCode::failed,
                       all_good.error().context + ": " +
                           std::generic_category().message(all_good.error().detail));
    }
    return *all_good ? ExitCode::done : ExitCode::failed;
}

}  // namespace

Outcome<> run(const PduDecodeOptions& options, Context& /*context*/) {
    tools::DecodeLines worker({.direction = options.direction, .service_centre = !options.no_smsc});
    return filter(worker);
}

Outcome<> run(const PduEncodeOptions& /*options*/, Context& /*context*/) {
    tools::EncodeLines worker;
    return filter(worker);
}

}  // namespace smsrack::cli
