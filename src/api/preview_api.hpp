/// What a message would become, and why it would not leave now; sends nothing.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void preview_message(Call call);

}  // namespace smsrack::api
