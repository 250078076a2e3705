/// `smsrack inbox`: lists received messages, oldest first. With `follow` it lists the last ten, or
/// all since `since`, and then new ones.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <string>

namespace smsrack::cli {

struct InboxOptions {
    std::string since = {};
    std::uint64_t limit = 100;
    bool follow = false;  ///< until Ctrl-C; a line a message, with `json` an object a line
};

[[nodiscard]] Outcome<> run(const InboxOptions& options, Context& context);

}  // namespace smsrack::cli
