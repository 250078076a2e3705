/// The API calls of front ends: which are connected, what waits for each, how far each has
/// acknowledged, and an operator's orders about them.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void list_clients(Call call);
void get_client(Call call);
/// {"id":"4711"}: the client has taken its events up to this one.
void post_client_ack(Call call);
/// Something came from it: its link is fine.
void post_client_heartbeat(Call call);
void post_client_block(Call call);
void post_client_open(Call call);
void forget_client(Call call);

}  // namespace smsrack::api
