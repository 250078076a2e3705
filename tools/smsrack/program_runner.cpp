#include "tools/smsrack/program_runner.hpp"

#include "tools/client/unique_fd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {
namespace {

using client::UniqueFd;

/// What posix_spawn may end the child with, where it has already said that all is well (POSIX.1-2017; qemu-user does it so).
constexpr int not_started = 127;

struct Pipe {
    UniqueFd reading;
    UniqueFd writing;
};

Result<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return fail(Errc::not_allowed, "no pipe: " + std::generic_category().message(errno), errno);
    }
    return Pipe{.reading = UniqueFd(ends[0]), .writing = UniqueFd(ends[1])};
}

/// posix_spawn's own objects, ended with this one.
class SpawnPlan {
public:
    SpawnPlan(int out, int err) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
        sigset_t none{};
        sigset_t usual{};
        sigemptyset(&none);
        sigfillset(&usual);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &usual);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }

    Result<pid_t> start(const std::vector<std::string>& words) {
        std::vector<std::string> copy = words;
        std::vector<char*> arguments;
        for (std::string& word : copy) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        std::string language = "LC_ALL=C";
        std::vector<char*> variables;
        for (char** variable = environ; *variable != nullptr; ++variable) {
            if (!std::string_view(*variable).starts_with("LC_ALL=")) {
                variables.push_back(*variable);
            }
        }
        variables.push_back(language.data());
        variables.push_back(nullptr);
        pid_t pid = -1;
        const int error = posix_spawnp(&pid, arguments.front(), &actions_, &attributes_,
                                       arguments.data(), variables.data());
        if (error != 0) {
            return fail(
                error == ENOENT ? Errc::not_found : Errc::not_allowed,
                words.front() + " can't be started: " + std::generic_category().message(error),
                error);
        }
        return pid;
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// One output of the program; whole lines go to the sink.
class Output {
public:
    Output(UniqueFd fd, std::string& text, const ProgramRunner::LineSink& sink)
        : fd_(std::move(fd)), text_(text), sink_(sink) {}

    [[nodiscard]] int fd() const { return fd_ ? fd_.get() : -1; }  // poll() passes over -1
    [[nodiscard]] bool too_long() const { return text_.size() > ProgramRunner::output_max; }

    void take() {
        std::array<char, 4'096> piece{};
        const ssize_t count = ::read(fd_.get(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) {
            return;
        }
        if (count <= 0) {
            return end();
        }
        text_.append(piece.data(), static_cast<std::size_t>(count));
        const std::size_t end = text_.rfind('\n');
        tell(end == std::string::npos ? 0 : end + 1);
    }

    void end() {
        fd_.reset();
        tell(text_.size());
    }

private:
    void tell(std::size_t end) {
        while (sink_ && told_ < end) {
            const std::size_t stop = std::min(text_.find('\n', told_), end);
            sink_(std::string_view(text_).substr(told_, stop - told_));
            told_ = stop + 1;
        }
    }

    UniqueFd fd_;
    std::string& text_;
    const ProgramRunner::LineSink& sink_;
    std::size_t told_ = 0;
};

using Deadline = std::chrono::steady_clock::time_point;

/// For poll(), in milliseconds. The latest of all times is never.
int left_until(Deadline deadline) {
    if (deadline == Deadline::max()) {
        return -1;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

enum class Reading : std::uint8_t { whole, too_long, too_late };

/// Until both are closed, or the program has ended: a child that it left may keep them open. `program`: its pidfd, or -1.
Reading read_all(Output& out, Output& err, int program, Deadline deadline) {
    bool has_ended = false;
    while (out.fd() >= 0 || err.fd() >= 0) {
        std::array<pollfd, 3> ready{{{.fd = out.fd(), .events = POLLIN, .revents = 0},
                                     {.fd = err.fd(), .events = POLLIN, .revents = 0},
                                     {.fd = program, .events = POLLIN, .revents = 0}}};
        const int found = ::poll(ready.data(), ready.size(), has_ended ? 0 : left_until(deadline));
        if (found < 0) {
            continue;  // EINTR alone
        }
        if (found == 0) {
            return Reading::too_late;
        }
        if (ready[0].revents == 0 && ready[1].revents == 0) {
            if (has_ended) {
                break;  // and what it wrote was read
            }
            has_ended = true;  // what it wrote last may have come after the look at its outputs
        }
        if (ready[0].revents != 0) {
            out.take();
        }
        if (ready[1].revents != 0) {
            err.take();
        }
        if (out.too_long() || err.too_long()) {
            return Reading::too_long;
        }
    }
    out.end();
    err.end();
    return Reading::whole;
}

}  // namespace

Result<ProgramAnswer> RealPrograms::run(const std::vector<std::string>& words,
                                        const LineSink& sink) {
    auto out = make_pipe();
    auto err = make_pipe();
    if (!out || !err) {
        return std::unexpected(out ? err.error() : out.error());
    }
    const Deadline deadline =
        within_ ? std::chrono::steady_clock::now() + *within_ : Deadline::max();
    const auto pid = SpawnPlan(out->writing.get(), err->writing.get()).start(words);
    out->writing.reset();
    err->writing.reset();
    if (!pid) {
        return std::unexpected(pid.error());
    }
    ProgramAnswer answer;
    const LineSink none;
    Output reading_out(std::move(out->reading), answer.out, sink);
    Output reading_err(std::move(err->reading), answer.err, none);
    const UniqueFd program(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
    const Reading read = read_all(reading_out, reading_err, program ? program.get() : -1, deadline);
    if (read != Reading::whole) {
        (void)::kill(*pid, SIGKILL);
    }
    int status = 0;
    while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (read == Reading::too_long) {
        return fail(Errc::protocol, words.front() + " wrote more than 1 MiB");
    }
    if (read == Reading::too_late) {
        return fail(Errc::timeout,
                    fmt::format("{} was ended: it ran for {} s", words.front(),
                                std::chrono::round<std::chrono::seconds>(*within_).count()));
    }
    if (!WIFEXITED(status)) {
        return fail(Errc::protocol,
                    fmt::format("{} was ended by signal {}", words.front(), WTERMSIG(status)),
                    WTERMSIG(status));
    }
    answer.code = WEXITSTATUS(status);
    if (answer.code == not_started && answer.out.empty() && answer.err.empty()) {
        return fail(Errc::not_found, words.front() + " can't be started");
    }
    return answer;
}

std::string last_line(std::string_view text) {
    while (!text.empty()) {
        while (text.ends_with('\n') || text.ends_with(' ') || text.ends_with('\r')) {
            text.remove_suffix(1);
        }
        const std::size_t begin = text.rfind('\n') + 1;  // npos + 1: the beginning
        if (begin < text.size()) {
            return std::string(text.substr(begin));
        }
    }
    return {};
}

}  // namespace smsrack::cli
