/// Refusals of the API, written as problem+json by src/wire/problem.
#pragma once

#include "src/wire/problem.hpp"

namespace smsrack::api {

using wire::append_problem;
using wire::problem;
using wire::status_of;

}  // namespace smsrack::api
