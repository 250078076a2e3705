/// The members of a message besides its number and text, as options of `send`.
///
/// Source:  src/api/openapi.json, POST /v1/messages.
#pragma once

#include "src/wire/json.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace smsrack::cli {

struct MessageFields {
    std::optional<std::int64_t> priority = {};
    std::optional<std::int64_t> ttl_s = {};
    std::optional<bool> report = {};
    std::optional<std::int64_t> message_class = {};
    std::string group = {};
    std::string from = {};
    std::string batch = {};
    std::string client = {};
    std::string note = {};
    std::string not_before = {};  ///< RFC 3339, or a distance from now such as "+2h"
    bool allow_duplicate = false;
};

/// The options of `send` and `preview` for them.
void add_fields(CLI::App& app, MessageFields& fields);

/// Sets the members that `message` does not have itself.
void fill_in(wire::Json& message, const MessageFields& fields);

}  // namespace smsrack::cli
