/// Finds the message whose id is in a path, for a caller that may see it.
#pragma once

#include "src/api/call.hpp"
#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"

namespace smsrack::api {

/// Errors:  not_found: no number, so no message has it.
[[nodiscard]] Result<MessageId> id_of(const Call& call);

/// Errors:  not_found: also if the caller may not see that message, so that callers can't learn
///          which ids exist.
[[nodiscard]] Result<ports::MessageDetail> seen_message(ports::StoreReader& reader, MessageId id,
                                                        const Caller& caller);

}  // namespace smsrack::api
