#include "tests/days/seed_fork.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace smsrack::days {
namespace {

/// At most this much; false: the system says no.
template <typename What>
bool limit(What what, rlim_t most) {
    rlimit now{};
    if (::getrlimit(what, &now) != 0) {
        return false;
    }
    now.rlim_cur = std::min(most, now.rlim_max);
    return ::setrlimit(what, &now) == 0;
}

void end_after(std::chrono::seconds processor) {
    (void)limit(RLIMIT_CORE, 0);
    if (!limit(RLIMIT_CPU, static_cast<rlim_t>(processor.count()))) {
        ::_exit(2);
    }
}

void end_with(pid_t parent) {
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(1);
    }
}

void write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return;  // there is no one to hear it
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

/// Something, or its end, can be read; false: not until then.
bool readable(int file, std::chrono::steady_clock::time_point until) {
    pollfd one{.fd = file, .events = POLLIN, .revents = 0};
    int ready = 0;
    do {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            std::max(until - std::chrono::steady_clock::now(), {}));
        ready = ::poll(&one, 1, static_cast<int>(std::min<std::int64_t>(left.count(), INT_MAX)));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

/// All that comes until the other end is closed; nothing where that is not so in time.
std::optional<std::string> read_all(int file, std::chrono::steady_clock::time_point until) {
    std::string text;
    std::array<char, 4'096> part;
    while (readable(file, until)) {
        const auto size = ::read(file, part.data(), part.size());
        if (size == 0 || (size < 0 && errno != EINTR)) {
            return text;
        }
        text.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    }
    return std::nullopt;
}

std::string how_it_ended(int status, SeedLimits limits) {
    if (!WIFSIGNALED(status)) {
        return fmt::format("ended with code {}", WEXITSTATUS(status));
    }
    return WTERMSIG(status) == SIGXCPU
               ? fmt::format("endless: {} s of a processor, and no end", limits.processor.count())
               : fmt::format("ended by signal {}", WTERMSIG(status));
}

}  // namespace

SeedLimits limits_of(std::chrono::seconds processor, unsigned jobs, unsigned processors) {
    const unsigned share = (jobs + processors - 1) / processors;
    return {.processor = processor, .whole = 2 * std::max(share, 1U) * processor};
}

SeedFork::SeedFork(const Live& live, const std::filesystem::path& folder, SeedLimits limits)
    : home_(folder), limits_(limits), begun_(std::chrono::steady_clock::now()) {
    std::array<int, 2> ends{};
    const pid_t parent = ::getpid();
    if (::pipe(ends.data()) != 0 || (pid_ = ::fork()) < 0) {
        throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
    }
    if (pid_ == 0) {
        end_with(parent);
        ::close(ends[0]);
        end_after(limits_.processor);
        write_all(ends[1], live(home_.path()));
        ::_exit(0);
    }
    ::close(ends[1]);
    output_ = ends[0];
}

SeedFork::~SeedFork() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    ::close(output_);
}

std::chrono::duration<double> SeedFork::age() const {
    return std::chrono::steady_clock::now() - begun_;
}

bool SeedFork::has_result() const {
    return readable(output_, {}) || age() > limits_.whole;
}

SeedFork::Said SeedFork::result() {
    const auto text = read_all(output_, begun_ + limits_.whole);
    if (!text) {
        ::kill(pid_, SIGKILL);
    }
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    if (!text) {
        return {.fault = fmt::format("stuck: {} s, and no end", limits_.whole.count())};
    }
    return text->empty() ? Said{.fault = how_it_ended(status, limits_)} : Said{.text = *text};
}

}  // namespace smsrack::days
