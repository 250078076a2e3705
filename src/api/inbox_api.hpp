/// GET of received messages, oldest first.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void list_inbox(Call call);

}  // namespace smsrack::api
