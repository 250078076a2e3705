/// Says what would happen to a message, and why it would not leave now. Sends nothing.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void preview_message(Call call);

}  // namespace smsrack::api
