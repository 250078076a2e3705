/// `smsrack show ID`: shows one message and its history.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct ShowOptions {
    std::string id = {};
};

[[nodiscard]] Outcome<> run(const ShowOptions& options, Context& context);

}  // namespace smsrack::cli
