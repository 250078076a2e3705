/// `smsrack modems`: lists the modems. `smsrack modem show NAME`: shows all about one.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/table.hpp"

#include <string>

namespace smsrack::cli {

struct ModemsOptions {};

struct ModemShowOptions {
    std::string name = {};
};

/// A row for each modem of the API's list.
[[nodiscard]] Table table_of_modems(const wire::Json& modems, const TimeStyle& times);

[[nodiscard]] Outcome<> run(const ModemsOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const ModemShowOptions& options, Context& context);

}  // namespace smsrack::cli
