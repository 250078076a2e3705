/// A child process that ends with us at the latest.
///
/// Threads: one. The destructor kills (SIGKILL) and reaps what still runs; should we die before, the
///          kernel kills it.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace smsrack::rig {

struct Command {
    std::vector<std::string> words = {};  ///< program and arguments
    std::filesystem::path output = {};    ///< gets stdout and stderr, appended; empty: /dev/null
    std::filesystem::path input = {};     ///< empty: /dev/null
    /// Runs as this user, with the group of that number (root only).
    std::optional<uid_t> user = {};
    std::vector<gid_t> groups = {};  ///< further groups of that user
};

/// How a program ended.
struct Ending {
    int code = -1;   ///< exit code; -1: by a signal
    int signal = 0;  ///< 0: it exited

    friend bool operator==(const Ending&, const Ending&) = default;
};

/// A program that runs. One that was started ends with the thread that started it, so that thread must outlive it
/// (prctl(2), PR_SET_PDEATHSIG).
class Process {
public:
    /// Starts it; throws where the program can't be started at all.
    explicit Process(const Command& command);
    /// A program that one of ours has started and left alone: it is ours now (see adopt_orphans()). Throws where it
    /// does not run.
    explicit Process(pid_t running);
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

/// From now on the kernel makes us the parent of programs whose own one ends, as after an upgrade of the service.
void adopt_orphans();

}  // namespace smsrack::rig
