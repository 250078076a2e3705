/// Runs another program to its end: takes its arguments, returns its output and exit code. Never
/// uses a shell.
///
/// Threads: one.
/// Time:    as long as the program takes, or until its time is over.
/// Errors:  not_found, not_allowed: it could not be started; protocol: a signal ended it, or it wrote more than output_max.
///          timeout: it was ended since its time was over.
#pragma once

#include "src/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

struct ProgramAnswer {
    int code = 0;
    std::string out = {};
    std::string err = {};
};

class ProgramRunner {
public:
    /// A line of standard output as it comes, without its end.
    using LineSink = std::function<void(std::string_view)>;

    static constexpr std::size_t output_max = 1024UL * 1024;  ///< octets of each output

    ProgramRunner() = default;
    ProgramRunner(const ProgramRunner&) = delete;
    ProgramRunner& operator=(const ProgramRunner&) = delete;
    virtual ~ProgramRunner() = default;

    /// `words`: the program, looked for in PATH, and its arguments. `sink` may be empty.
    [[nodiscard]] virtual Result<ProgramAnswer> run(const std::vector<std::string>& words,
                                                    const LineSink& sink) = 0;
};

/// The programs of this machine. They run with LC_ALL=C, since their output is parsed.
class RealPrograms final : public ProgramRunner {
public:
    /// `within`: it is ended (SIGKILL) after so long; nullopt: never.
    explicit RealPrograms(std::optional<std::chrono::milliseconds> within = {}) : within_(within) {}

    [[nodiscard]] Result<ProgramAnswer> run(const std::vector<std::string>& words,
                                            const LineSink& sink) override;

private:
    const std::optional<std::chrono::milliseconds> within_;
};

/// The last line of an output that says something; empty: none does.
[[nodiscard]] std::string last_line(std::string_view text);

}  // namespace smsrack::cli
