/// A program started by a test.
///
/// Threads: one. The destructor kills (SIGKILL) and reaps what still runs, so no test leaves a
/// process behind.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace smsrack::test {

struct Command {
    std::vector<std::string> words;     ///< program and arguments
    std::filesystem::path output = {};  ///< gets stdout and stderr, appended; empty: /dev/null
    std::optional<uid_t> user = {};     ///< runs as this user (root only)
};

/// How a program ended.
struct Ending {
    int code = -1;   ///< exit code; -1: by a signal
    int signal = 0;  ///< 0: it exited

    friend bool operator==(const Ending&, const Ending&) = default;
};

class Process {
public:
    /// Starts it; throws where the program can't be started at all.
    explicit Process(const Command& command);
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();

    [[nodiscard]] pid_t pid() const { return pid_; }
    void signal(int number) const;
    /// From now on its writes to files fail (EFBIG), as on a disk that is full; or they work again.
    void refuse_file_writes(bool refuse) const;

    /// How it ended; nothing when it still runs after `within`.
    [[nodiscard]] std::optional<Ending> wait(std::chrono::milliseconds within);
    [[nodiscard]] bool running() { return !wait(std::chrono::milliseconds(0)); }

private:
    pid_t pid_ = -1;
    int pidfd_ = -1;  // readable when the process has ended
    std::optional<Ending> ending_;
};

/// Runs a program to its end: how it ended and what it printed. Throws when it takes longer than
/// `within`.
struct Finished {
    Ending ending;
    std::string output;
};
[[nodiscard]] Finished run(Command command,
                           std::chrono::milliseconds within = std::chrono::seconds(20));

}  // namespace smsrack::test
