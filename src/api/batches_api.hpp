/// Batches: labels of messages with their counts, and taking one back.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void list_batches(Call call);
void get_batch(Call call);
void cancel_batch(Call call);

}  // namespace smsrack::api
