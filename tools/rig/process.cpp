#include "tools/rig/process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::rig {

namespace {

constexpr int cannot_start = 127;

/// Signals as a program expects them; the starter may have blocked some.
bool plain_signals() {
    sigset_t none{};
    // So that refuse_file_writes() shows as an error of write() and does not kill.
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread, after fork()
    return sigemptyset(&none) == 0 && sigprocmask(SIG_SETMASK, &none, nullptr) == 0 &&
           std::signal(SIGXFSZ, SIG_IGN) != SIG_ERR;
}

[[noreturn]] void become(const Command& command, const std::string& input,
                         const std::string& output, char* const* words) {
    const int in = open(input.c_str(), O_RDONLY | O_CLOEXEC);
    const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) {
        _exit(cannot_start);
    }
    // A group of its own: Ctrl-C reaches the starter alone, which then ends things in order.
    if (!plain_signals() || setpgid(0, 0) != 0) {
        _exit(cannot_start);
    }
    if (command.user) {
        if (setgroups(command.groups.size(), command.groups.data()) != 0 ||
            setgid(*command.user) != 0 || setuid(*command.user) != 0) {
            _exit(cannot_start);
        }
    }
    // Last, since a change of user takes it back.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        _exit(cannot_start);
    }
    execv(words[0], words);
    _exit(cannot_start);
}

}  // namespace

Process::Process(const Command& command) {
    const std::string output = command.output.empty() ? "/dev/null" : command.output.string();
    const std::string input = command.input.empty() ? "/dev/null" : command.input.string();
    std::vector<std::string> copy = command.words;
    std::vector<char*> words;
    for (std::string& word : copy) {
        words.push_back(word.data());
    }
    words.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
        become(command, input, output, words.data());
    }
    if (pid_ < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
    if (pidfd_ < 0) {
        throw std::system_error(errno, std::generic_category(), "pidfd_open");
    }
}

Process::Process(pid_t running)
    : pid_(running), pidfd_(static_cast<int>(syscall(SYS_pidfd_open, running, 0))) {
    if (pidfd_ < 0) {
        throw std::system_error(errno, std::generic_category(), "pidfd_open");
    }
}

Process::~Process() {
    if (!ending_) {
        signal(SIGKILL);
        (void)waitpid(pid_, nullptr, 0);
    }
    close(pidfd_);
}

void Process::signal(int number) const {
    if (!ending_) {
        (void)kill(pid_, number);
    }
}

void adopt_orphans() {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
        throw std::system_error(errno, std::generic_category(), "prctl");
    }
}

void Process::refuse_file_writes(bool refuse) const {
    rlimit limit{};
    if (prlimit(pid_, RLIMIT_FSIZE, nullptr, &limit) == 0) {
        limit.rlim_cur = refuse ? 0 : limit.rlim_max;
        if (prlimit(pid_, RLIMIT_FSIZE, &limit, nullptr) == 0) {
            return;
        }
    }
    throw std::system_error(errno, std::generic_category(), "prlimit");
}

std::optional<Ending> Process::wait(std::chrono::milliseconds within) {
    if (!ending_) {
        pollfd ended{pidfd_, POLLIN, 0};
        if (poll(&ended, 1, static_cast<int>(within.count())) == 1) {
            int status = 0;
            (void)waitpid(pid_, &status, 0);
            ending_ =
                WIFEXITED(status) ? Ending{WEXITSTATUS(status), 0} : Ending{-1, WTERMSIG(status)};
        }
    }
    return ending_;
}

}  // namespace smsrack::rig
