/// `smsrack trigger trace NAME NUMBER`: shows event -> verdict and why -> message -> report.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

struct TriggerTraceOptions {
    std::string name = {};
    std::string number = {};
    std::string topic = {};  ///< empty: all
};

[[nodiscard]] Outcome<> run(const TriggerTraceOptions& options, Context& context);

}  // namespace smsrack::cli
