/// Writes refusals as problem+json.
///
/// Source:  RFC 9457; the codes are those of docs/api.md, "Errors".
#pragma once

#include "src/base/result.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/json_writer.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::wire {

/// The HTTP status of a code.
[[nodiscard]] int status_of(Errc code);

/// The whole answer, with Retry-After where waiting helps.
[[nodiscard]] HttpResponse problem(const Error& error);
[[nodiscard]] HttpResponse problem(int status, Errc code, std::string_view detail);
/// With a code that only one call has.
[[nodiscard]] HttpResponse problem(int status, std::string_view code, std::string_view title,
                                   std::string_view detail);

/// The object alone: an `error` of an NDJSON answer. `line`: number of the request's line.
void append_problem(JsonWriter& json, const Error& error,
                    std::optional<std::uint64_t> line = std::nullopt);

}  // namespace smsrack::wire
