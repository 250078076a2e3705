/// The API calls that pause and resume the rack, a group or a batch.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void post_pause(Call call);
void post_resume(Call call);

}  // namespace smsrack::api
