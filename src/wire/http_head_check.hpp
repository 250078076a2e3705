/// Checks a request's head beyond its grammar.
///
/// Source:  RFC 9112 3.2 (Host), 6.1 (Transfer-Encoding), 6.3; RFC 9110 10.1.1 (Expect).
#pragma once

#include "src/wire/http1.hpp"
#include "src/wire/http_message.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace smsrack::wire {

/// Fills path, params and expects_continue of a request whose method and headers are there; or says
/// what to refuse.
[[nodiscard]] std::optional<Http1Parser::Refusal> check_head(const LlhttpDoor::Head& facts,
                                                             std::size_t headers_max,
                                                             HttpRequest& request);

}  // namespace smsrack::wire
