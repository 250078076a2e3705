/// One result of `doctor`: all is well, or what is wrong and what to do.
#pragma once

#include <string>
#include <vector>

namespace smsrack::cli {

struct Finding {
    std::string subject = {};  ///< "service", "disk", a modem's name
    std::string problem = {};  ///< one word for programs; empty: all is well
    std::string text = {};     ///< what was seen
    std::string advice = {};   ///< what to do; may be empty

    [[nodiscard]] bool well() const { return problem.empty(); }
};

using Findings = std::vector<Finding>;

}  // namespace smsrack::cli
