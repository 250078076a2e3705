/// Prints what a command has to say: JSON for programs, words for people.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace smsrack::cli {

/// Prints `value`, or `words`, which end with a line end. Always done.
Outcome<> report(const wire::Json& value, std::string_view words, Context& context);

/// Prints an answer of the service, or `words` of it; a failure is returned as it is.
Outcome<> report(const Outcome<wire::Json>& answer, Context& context,
                 const std::function<std::string(const wire::Json&)>& words);

/// The answer; a failure with what it is about before its message: "modem m1: ...".
[[nodiscard]] Outcome<wire::Json> about(std::string_view kind, const std::string& name,
                                        Outcome<wire::Json> answer);

}  // namespace smsrack::cli
