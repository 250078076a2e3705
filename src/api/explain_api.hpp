/// GET /v1/messages/{id}/explain: one message's story in words.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void explain_message(Call call);

}  // namespace smsrack::api
