/// POST, GET and DELETE of messages.
#pragma once

#include "src/api/call.hpp"

#include <memory>

namespace smsrack::api {

void post_message(Call call);
void get_message(Call call);
void list_messages(Call call);
void cancel_message(Call call);

/// POST of application/x-ndjson: a line each, answered in their order.
[[nodiscard]] bool is_ndjson(const wire::HttpRequest& request);
[[nodiscard]] std::unique_ptr<wire::BodyReader> post_message_lines(Call call);

}  // namespace smsrack::api
