/// Reads the JSON of a submit into a SubmitRequest. Types and names are checked here, values by
/// intake.
///
/// Errors:  bad_request, bad_encoding, with the member's name first in `context`.
#pragma once

#include "src/api/access.hpp"
#include "src/base/result.hpp"
#include "src/intake/intake.hpp"
#include "src/wire/http_message.hpp"

#include <string_view>

namespace smsrack::api {

/// Unknown members are refused: a misspelt one would silently lose its meaning.
[[nodiscard]] Result<intake::SubmitRequest> read_submit(std::string_view json);

/// What may replace the content of a message: text or data, ttl_s, not_before and note. The rest of
/// the request is empty.
[[nodiscard]] Result<intake::SubmitRequest> read_replacement(std::string_view json);

/// The caller owns the submit.
///
/// Errors:  forbidden: its client name is another account's.
[[nodiscard]] Result<> own_submit(intake::SubmitRequest& submit, const Caller& caller);

/// Of a request: its body, with the header Idempotency-Key as its `ref`, and Smsrack-Client as its `client`.
[[nodiscard]] Result<intake::SubmitRequest> submit_of(const wire::HttpRequest& request,
                                                      const Caller& caller);

}  // namespace smsrack::api
