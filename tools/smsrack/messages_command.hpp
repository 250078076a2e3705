/// `smsrack messages`: lists messages, newest first.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/table.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace smsrack::cli {

struct MessagesOptions {
    std::string state = {};
    std::string to = {};
    std::string ref = {};
    std::string batch = {};
    std::string client = {};
    std::string since = {};
    std::optional<std::uint64_t> limit = {};  ///< none: what fits the terminal, else 100
};

/// The columns, and a row of the API's list in them.
[[nodiscard]] Table table_of_messages(const TimeStyle& times);
void add_message(Table& table, const wire::Json& message, const TimeStyle& times);

[[nodiscard]] Outcome<> run(const MessagesOptions& options, Context& context);

}  // namespace smsrack::cli
