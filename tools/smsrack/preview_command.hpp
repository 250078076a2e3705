/// `smsrack preview` and `smsrack send --dry-run`: show what would happen to a message, or to a
/// file of them. Nothing is sent or stored.
///
/// Errors:  one that would be refused is a failure with the exit code that sending it would have: bad_data, try_later, failed.
/// Source:  src/api/openapi.json, POST /v1/preview.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/send_command.hpp"
#include "tools/smsrack/send_file_command.hpp"

namespace smsrack::cli {

struct PreviewOptions {
    SendOptions message = {};
};

struct PreviewFileOptions {
    SendFileOptions file = {};
};

[[nodiscard]] Outcome<> run(const PreviewOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const PreviewFileOptions& options, Context& context);

}  // namespace smsrack::cli
