/// POST /v1/self-sms: a message from one SIM of the rack to another one, now.
///
/// Clients never see it; GET /v1/messages/{id} says how far it is, `delivered` when the other SIM has it.
/// Errors:  409 conflict: as the rack is now it can't be, with the reason.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void post_self_sms(Call call);

}  // namespace smsrack::api
