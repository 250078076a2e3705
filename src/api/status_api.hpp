/// The status calls: the rack at a glance, liveness, readiness, and the OpenAPI description.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void get_status(Call call);
void get_healthz(Call call);
void get_readyz(Call call);
void get_openapi(Call call);

}  // namespace smsrack::api
