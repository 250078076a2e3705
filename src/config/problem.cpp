#include "src/config/problem.hpp"

#include <fmt/format.h>

namespace smsrack::config {
namespace {

std::string line_with(std::string_view mark, const std::string& file,
                      const ConfigProblem& problem) {
    return fmt::format("{}{}: {}{}{}{}", problem.file.empty() ? file : problem.file,
                       problem.line == 0 ? "" : fmt::format(":{}", problem.line), mark, problem.key,
                       problem.key.empty() ? "" : ": ", problem.message);
}

}  // namespace

std::string problem_line(const std::string& file, const ConfigProblem& problem) {
    return line_with("", file, problem);
}

std::string warning_line(const std::string& file, const ConfigProblem& problem) {
    return line_with("warning: ", file, problem);
}

std::string ConfigError::line_of(const ConfigProblem& problem) const {
    return problem_line(file, problem);
}

std::string ConfigError::text() const {
    std::string lines;
    for (const ConfigProblem& problem : problems) {
        lines += line_of(problem) + "\n";
    }
    return lines;
}

}  // namespace smsrack::config
