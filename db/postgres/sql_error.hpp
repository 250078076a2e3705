/// What an error of the server means for the command that got it.
///
/// Source:  PostgreSQL 15, Appendix A (SQLSTATE); schema/0002_boxes.sql (SR001 and others).
#pragma once

#include "src/base/result.hpp"

#include <string_view>

namespace smsrack::postgres {

/// True where the same command may succeed at once: others were in its way.
[[nodiscard]] bool may_retry(std::string_view sqlstate);

/// Of a command that was certainly not carried out. What is not listed is closed: it can be asked again.
[[nodiscard]] Error error_of(std::string_view sqlstate, std::string_view message);

[[nodiscard]] Error closed(std::string_view why);
[[nodiscard]] Error outcome_unknown();

}  // namespace smsrack::postgres
