/// Reads what a list is searched for: a part of the number, a part of the text, or both.
///
/// A number may be written as people write it: blanks, dots, dashes, slashes and brackets count for
/// nothing, and a national beginning matches too. Texts are compared in small letters, with runs of
/// blanks as one.
/// Errors:  bad_request, with the parameter's name first in `context`.
#pragma once

#include "src/api/call.hpp"
#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"

#include <optional>

namespace smsrack::api {

/// Of the parameters `q` (number) and `contains` (text); nullopt: it is not a search.
/// Errors:  also forbidden: the caller may not see numbers and texts, and could guess them digit by
///          digit.
[[nodiscard]] Result<std::optional<ports::Wanted>> search_of(const Call& call);

}  // namespace smsrack::api
