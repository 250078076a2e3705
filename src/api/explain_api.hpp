/// GET /v1/messages/{id}/explain: the history of one message in words.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void explain_message(Call call);

}  // namespace smsrack::api
