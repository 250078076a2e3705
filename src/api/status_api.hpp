/// The rack at a glance, is it alive, is it ready, and what it is asked for by machines.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void get_status(Call call);
void get_healthz(Call call);
void get_readyz(Call call);
void get_openapi(Call call);

}  // namespace smsrack::api
