/// Which messages of one PutMessages have nothing to do with each other, so that the engine may judge them in any order.
#pragma once

#include "src/ports/cluster_engine.hpp"

#include <span>
#include <vector>

namespace smsrack::postgres {

/// In the order of `messages`. False: another one has the same id, ref, pair or text, or counts towards a limit of this one,
/// or this one towards its.
[[nodiscard]] std::vector<bool> alone_in(std::span<const ports::PutMessage> messages);

}  // namespace smsrack::postgres
