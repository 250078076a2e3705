/// `smsrack export --since TIME`: one row for each segment of each message, newest message first, as CSV or NDJSON.
///
/// A page of the API is read and written at a time, so memory has a bound whatever the number of messages.
/// Source:  RFC 4180; OWASP, "CSV injection": a cell that a spreadsheet would calculate gets an apostrophe.
/// Errors:  as the service says them. Then what was printed is not whole, which the message says.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct ExportOptions {
    std::string since = {};
    std::string state = {};
    std::string batch = {};
    std::string client = {};
    bool ndjson = false;  ///< an object for each row; so is --json
    bool text = false;    ///< with the messages' texts
    bool raw = false;     ///< CSV for programs: no byte order mark, no apostrophes
};

[[nodiscard]] Outcome<> run(const ExportOptions& options, Context& context);

}  // namespace smsrack::cli
