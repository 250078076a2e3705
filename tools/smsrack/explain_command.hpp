/// `smsrack explain ID`: explains the history of one message in words.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct ExplainOptions {
    std::string id = {};
};

[[nodiscard]] Outcome<> run(const ExplainOptions& options, Context& context);

}  // namespace smsrack::cli
