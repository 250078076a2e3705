/// GET /v1/events: Server-Sent Events from where the client was (Last-Event-ID), without gap or
/// repeat.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void stream_events(Call call);

}  // namespace smsrack::api
