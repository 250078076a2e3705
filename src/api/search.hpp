/// Reads what a list is searched for: a part of the number, a part of the text, or both.
///
/// A number may be written as people write it: blanks, dots, dashes, slashes and brackets count for
/// nothing, and a national beginning matches too. Texts are compared in small letters, with runs of
/// blanks as one.
/// Errors:  bad_request, with the parameter's name first in `context`.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/address.hpp"
#include "src/wire/http_message.hpp"

#include <optional>

namespace smsrack::api {

/// Of the parameters `q` (number) and `contains` (text); nullopt: it is not a search.
[[nodiscard]] Result<std::optional<ports::Wanted>> search_of(const wire::HttpRequest& request,
                                                             const NumberPlan& plan);

}  // namespace smsrack::api
