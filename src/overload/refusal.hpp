/// Writes the text for a refused client: which group and level, why, and when to come back.
#pragma once

#include "src/base/result.hpp"
#include "src/overload/load_rule.hpp"
#include "src/sms/level.hpp"

#include <chrono>
#include <string>

namespace smsrack::overload {

[[nodiscard]] Error refusal(const std::string& group, Level level, const Standing& standing,
                            const Judgement& judgement, std::chrono::milliseconds retry_after);

}  // namespace smsrack::overload
