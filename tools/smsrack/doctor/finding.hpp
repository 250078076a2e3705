/// One result of `doctor`: all is well, or what is wrong and what to do.
#pragma once

#include <string>
#include <utility>
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

[[nodiscard]] inline Finding well(std::string subject, std::string text) {
    return {.subject = std::move(subject), .text = std::move(text)};
}

[[nodiscard]] inline Finding bad(std::string subject, std::string problem, std::string text,
                                 std::string advice) {
    return {std::move(subject), std::move(problem), std::move(text), std::move(advice)};
}

}  // namespace smsrack::cli
