/// Numbers that want nothing more: the list, and a person's changes of it.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void list_opt_outs(Call call);
void post_opt_out(Call call);
void delete_opt_out(Call call);

}  // namespace smsrack::api
