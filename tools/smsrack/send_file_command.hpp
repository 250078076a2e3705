/// `smsrack send --file FILE`: sends many messages in one streamed call. Bad lines are reported
/// with their numbers; the others are sent.
///
/// Errors:  bad_data where a line was bad; try_later where the service took a line for overload no more.
#pragma once

#include "tools/client/unique_fd.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/message_fields.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct SendFileOptions {
    std::string file = {};  ///< "-": standard input
    MessageFields fields = {};
};

/// The file, or standard input. bad_data: it can't be read.
[[nodiscard]] Outcome<client::UniqueFd> open_batch(const std::string& file);

[[nodiscard]] Outcome<> run(const SendFileOptions& options, Context& context);

}  // namespace smsrack::cli
