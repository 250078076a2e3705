/// `smsrack pdu decode` and `smsrack pdu encode`: read lines from standard input, and write JSON
/// Lines to standard output.
///
/// Errors:  failed where a line was bad: the answer to that line says why. Also where reading or
///          writing fails.
#pragma once

#include "src/pdu/first_octet.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

namespace smsrack::cli {

struct PduDecodeOptions {
    pdu::Direction direction = pdu::Direction::stored;
    bool no_smsc = false;  ///< the lines start at the TPDU
};

struct PduEncodeOptions {};

[[nodiscard]] Outcome<> run(const PduDecodeOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const PduEncodeOptions& options, Context& context);

}  // namespace smsrack::cli
