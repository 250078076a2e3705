/// The API calls of batches (labels of messages): their counts, and their cancellation.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void list_batches(Call call);
void get_batch(Call call);
void cancel_batch(Call call);

}  // namespace smsrack::api
