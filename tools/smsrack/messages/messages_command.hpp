/// Messages as rows of a table; `smsrack messages` lists them, newest first.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/screen/time_style.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace smsrack::cli {

/// The columns, and a row of the API's list in them.
[[nodiscard]] Table table_of_messages(const TimeStyle& times);
[[nodiscard]] std::vector<std::string> cells_of_message(const wire::Json& message,
                                                        const TimeStyle& times);

/// The option --state of a command that shows some of the messages.
void add_state(CLI::App& app, std::string& state);

}  // namespace smsrack::cli
