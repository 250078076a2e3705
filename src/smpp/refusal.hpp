/// The command status that answers a submit which the service refused.
///
/// Source:  SMPP 3.4 5.1.3.
#pragma once

#include "src/base/result.hpp"
#include "src/smpp/status.hpp"

namespace smsrack::smpp {

/// Never ok. A session with `throttled` stays; the ESME sends the message again later.
[[nodiscard]] Status status_of_refusal(Errc code);

}  // namespace smsrack::smpp
