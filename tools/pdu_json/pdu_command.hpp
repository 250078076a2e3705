/// `smsrack pdu decode` and `smsrack pdu encode`: lines from one file descriptor, JSON Lines to
/// another.
///
/// Errors:  the exit status: 0; 1 when a line was bad, or when reading or writing failed (said on standard error).
#pragma once

#include "tools/pdu_json/line_codec.hpp"

namespace smsrack::tools {

[[nodiscard]] int run_pdu_decode(const PduDecodeOptions& options, int in, int out);

[[nodiscard]] int run_pdu_encode(int in, int out);

}  // namespace smsrack::tools
