#include "firmware-host/upgrade/successor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

/// What is meant for one process only: descriptors that it has inherited from systemd.
bool is_only_ours(std::string_view variable) {
    constexpr std::array<std::string_view, 3> names{
        "LISTEN_PID=", "LISTEN_FDS=", "LISTEN_FDNAMES="};
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return variable.starts_with(name); });
}

std::vector<char*> environment() {
    std::vector<char*> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (!is_only_ours(*variable)) {
            variables.push_back(*variable);
        }
    }
    variables.push_back(nullptr);
    return variables;
}

class SpawnPlan {
public:
    SpawnPlan() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }

    int run(pid_t& pid, const std::string& file, std::vector<char*>& words, int fd) {
        sigset_t none{};
        sigset_t usual{};
        sigemptyset(&none);
        sigfillset(&usual);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &usual);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawn_file_actions_adddup2(&actions_, fd, inherited_fd);
        std::vector<char*> variables = environment();
        return posix_spawn(&pid, file.c_str(), &actions_, &attributes_, words.data(),
                           variables.data());
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

Result<pid_t> start_program(const TrustedProgram& program,
                            const std::vector<std::string>& arguments, int fd) {
    std::vector<std::string> copy = arguments;
    copy.insert(copy.begin(), program.path());
    std::vector<char*> pointers;
    pointers.reserve(copy.size() + 1);
    for (std::string& word : copy) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    pid_t pid = -1;
    if (const int error = SpawnPlan().run(pid, program.exec_path(), pointers, fd); error != 0) {
        return fail(Errc::not_allowed,
                    program.path() + " can't be started: " + std::system_category().message(error),
                    error);
    }
    return pid;
}

std::string ending_text(int wait_status) {
    return WIFSIGNALED(wait_status) ? fmt::format("was ended by signal {}", WTERMSIG(wait_status))
                                    : fmt::format("ended with code {}", WEXITSTATUS(wait_status));
}

Successor::Successor(std::string binary, HandOverLink link, pid_t pid)
    : binary_(std::move(binary)), link_(std::move(link)), pid_(pid) {}

Successor::~Successor() {
    (void)end();
}

Result<std::unique_ptr<Successor>> Successor::start(const TrustedProgram& program,
                                                    const std::string& config_file) {
    auto link = HandOverLink::make_pair();
    if (!link) {
        return std::unexpected(std::move(link.error()));
    }
    const auto pid =
        start_program(program, {"--config", config_file, "--take-over"}, link->second.get());
    if (!pid) {
        return std::unexpected(pid.error());
    }
    return std::unique_ptr<Successor>(new Successor(program.path(), std::move(link->first), *pid));
}

/// Where it has ended by itself, how it did is what the administrator wants to know.
Error Successor::with_ending(Error error) {
    constexpr int ends_within_ms = 500;  // its socket was closed, so it is about to
    if (error.code == Errc::closed) {
        const serial::OwnedFd ended(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
        pollfd wanted{.fd = ended.get(), .events = POLLIN, .revents = 0};
        if (::poll(&wanted, 1, ends_within_ms) == 1) {
            error.code = Errc::conflict;
            error.context = fmt::format("{} {}; its output is in the service's log", binary_,
                                        ending_text(end()));
            return error;
        }
    }
    (void)end();
    error.context = fmt::format("{}: {}", binary_, error.context);
    return error;
}

Result<std::optional<Hello>> Successor::hello() {
    auto line = link_.try_line();
    if (!line) {
        return std::unexpected(with_ending(std::move(line.error())));
    }
    if (!*line) {
        return std::nullopt;
    }
    auto hello = read_hello(**line);
    if (!hello) {
        return std::unexpected(with_ending(std::move(hello.error())));
    }
    return *std::move(hello);
}

Result<> Successor::until_ready(const HandOver& hand_over, SteadyTime deadline) {
    if (auto sent = link_.send(hand_over, deadline); !sent) {
        return sent;
    }
    const auto line = link_.line(deadline);
    if (!line) {
        return std::unexpected(line.error());
    }
    if (const auto failure = failure_of(*line)) {
        return fail(Errc::conflict, *failure);
    }
    return says(*line, "ready") ? Result<>() : fail(Errc::protocol, "unexpected answer");
}

Result<> Successor::hand_over(const HandOver& hand_over, std::chrono::seconds limit) {
    const SteadyTime deadline = std::chrono::steady_clock::now() + limit;
    auto ready = until_ready(hand_over, deadline);
    if (ready) {
        ready = link_.send_line(line_of("go"), deadline);
    }
    if (!ready) {
        return std::unexpected(with_ending(std::move(ready.error())));
    }
    auto took = link_.line(deadline);
    if (took && says(*took, "took")) {
        over_ = true;
        return {};
    }
    Error error = with_ending(took ? Error{.code = Errc::protocol, .context = "unexpected answer"}
                                   : std::move(took.error()));
    if (const auto late = link_.try_line(); late && *late && says(**late, "took")) {
        error.code = Errc::internal;
        error.context = binary_ + " adopted the rack too late and was ended";
    }
    return std::unexpected(std::move(error));
}

int Successor::end() {
    int status = 0;
    if (!std::exchange(over_, true)) {
        (void)::kill(pid_, SIGKILL);
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
    }
    return status;
}

}  // namespace smsrack::host
