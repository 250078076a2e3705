/// The API calls that upgrade or reload the service; the process that runs afterwards gives the
/// answer.
#pragma once

#include "src/api/call.hpp"

#include <string_view>

namespace smsrack::api {

void post_upgrade(Call call);
void post_reload(Call call);

/// What becomes of the answer in the process, or with the objects, that came of the order.
inline constexpr std::string_view upgrade_mark = "upgrade";
inline constexpr std::string_view reload_mark = "reload";
void resume_upgrade(const ApiParts& parts, const wire::ResponderPtr& responder);
void resume_reload(const ApiParts& parts, const wire::ResponderPtr& responder);

}  // namespace smsrack::api
