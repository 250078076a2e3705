/// The API calls of the opt-out list: numbers that want no more messages, and an operator's changes
/// of the list.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void list_opt_outs(Call call);
void post_opt_out(Call call);
void delete_opt_out(Call call);

}  // namespace smsrack::api
