/// What is wrong in a configuration, with the line and the key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::config {

struct ConfigProblem {
    int line = 0;              ///< 0: the problem has no line
    std::string key = {};      ///< "queue.capacity"; empty where the text is not TOML
    std::string message = {};  ///< what was expected
    std::string file = {};     ///< empty: the configuration; else a file that it names
    bool may_pass = false;     ///< of the machine, not of a file: the next start may be better
};

/// In order of lines.
using ConfigProblems = std::vector<ConfigProblem>;

/// "FILE:LINE: KEY: MESSAGE", without a newline. `file` is the configuration's name.
[[nodiscard]] std::string problem_line(const std::string& file, const ConfigProblem& problem);
/// The same of something the service starts with nevertheless: "FILE:LINE: warning: KEY: MESSAGE".
[[nodiscard]] std::string warning_line(const std::string& file, const ConfigProblem& problem);

struct ConfigError {
    std::string file = {};
    ConfigProblems problems = {};  ///< at least one

    /// "FILE:LINE: KEY: MESSAGE", without a newline.
    [[nodiscard]] std::string line_of(const ConfigProblem& problem) const;

    /// A line for each problem.
    [[nodiscard]] std::string text() const;
};

}  // namespace smsrack::config
