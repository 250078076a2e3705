#include "tests/days/seed_process.hpp"

#include "src/wire/json.hpp"

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
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace smsrack::days {
namespace {

std::string encode(const DaysResult& result) {
    const wire::Json json{{"violation", result.violation},
                          {"story", result.story},
                          {"fingerprint", result.fingerprint},
                          {"numbers", result.totals.numbers()}};
    return json.dump(-1, ' ', true, wire::Json::error_handler_t::replace);
}

DaysResult decode(const std::string& text) {
    const auto json = wire::Json::parse(text);
    return {.totals = DaysTotals::of(json.at("numbers").get<std::vector<std::uint64_t>>()),
            .violation = json.at("violation").get<std::string>(),
            .story = json.at("story").get<std::vector<std::string>>(),
            .fingerprint = json.at("fingerprint").get<std::uint64_t>()};
}

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
        throw std::runtime_error(fmt::format("no limit for a seed: {}", std::strerror(errno)));
    }
}

void end_with(pid_t parent) {
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(1);
    }
}

DaysResult live_whatever_comes(const DaysOptions& options, SeedLimits limits) {
    try {
        end_after(limits.processor);
        return live(options);
    } catch (const std::exception& error) {
        return {.totals = {}, .violation = error.what()};
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

SeedLimits longest(const DaysOptions& options, unsigned jobs, unsigned processors) {
    constexpr std::uint64_t of_a_day = 300;
    constexpr std::uint64_t messages_a_second = 20;
    const auto processor = std::chrono::seconds(
        options.days * (of_a_day + (options.messages + options.inbound) / messages_a_second));
    const unsigned share = (jobs + processors - 1) / processors;
    return {.processor = processor, .whole = 2 * std::max(share, 1U) * processor};
}

SeedProcess::SeedProcess(const DaysOptions& options, SeedLimits limits)
    : home_(options.folder),
      options_(options),
      limits_(limits),
      begun_(std::chrono::steady_clock::now()) {
    options_.folder = home_.path();
    std::array<int, 2> ends{};
    const pid_t parent = ::getpid();
    if (::pipe(ends.data()) != 0 || (pid_ = ::fork()) < 0) {
        throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
    }
    if (pid_ == 0) {
        end_with(parent);
        ::close(ends[0]);
        write_all(ends[1], encode(live_whatever_comes(options_, limits_)));
        ::_exit(0);
    }
    ::close(ends[1]);
    output_ = ends[0];
}

SeedProcess::~SeedProcess() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    ::close(output_);
}

std::chrono::duration<double> SeedProcess::age() const {
    return std::chrono::steady_clock::now() - begun_;
}

bool SeedProcess::has_result() const {
    return readable(output_, {}) || age() > limits_.whole;
}

DaysResult SeedProcess::result() {
    const auto text = read_all(output_, begun_ + limits_.whole);
    if (!text) {
        ::kill(pid_, SIGKILL);
    }
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    if (!text) {
        return {.totals = {},
                .violation = fmt::format("stuck: {} s, and no end", limits_.whole.count())};
    }
    return text->empty() ? DaysResult{.totals = {}, .violation = how_it_ended(status, limits_)}
                         : decode(*text);
}

}  // namespace smsrack::days
