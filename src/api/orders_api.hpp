/// The API calls by which an administrator orders a modem to do something: an AT command, a USSD
/// code, a restart.
///
/// Errors:  as ports::HandOrder says; not_found: no such modem.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void post_at(Call call);
void post_ussd(Call call);
void post_drain(Call call);
void post_line_resume(Call call);
void post_reset(Call call);  ///< 202 at once: the modem restarts when it holds nothing

}  // namespace smsrack::api
