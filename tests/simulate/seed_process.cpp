#include "tests/simulate/seed_process.hpp"

#include "src/wire/json.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace smsrack::simulate {
namespace {

std::string encode(const DaysResult& result) {
    const wire::Json json{{"violation", result.violation},
                          {"story", result.story},
                          {"numbers", result.totals.numbers()}};
    return json.dump(-1, ' ', true, wire::Json::error_handler_t::replace);
}

DaysResult decode(const std::string& text) {
    const auto json = wire::Json::parse(text);
    return {.totals = DaysTotals::of(json.at("numbers").get<std::vector<std::uint64_t>>()),
            .violation = json.at("violation").get<std::string>(),
            .story = json.at("story").get<std::vector<std::string>>()};
}

DaysResult live_whatever_comes(const DaysOptions& options) {
    try {
        return live(options);
    } catch (const std::exception& error) {
        return {.totals = {}, .violation = error.what()};
    }
}

void write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return;  // nobody is there to hear it
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

std::string read_all(int file) {
    std::string text;
    std::array<char, 4'096> part;
    ssize_t size = 0;
    while ((size = ::read(file, part.data(), part.size())) > 0 || (size < 0 && errno == EINTR)) {
        text.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    }
    return text;
}

std::string how_it_ended(int status, std::chrono::seconds limit) {
    if (!WIFSIGNALED(status)) {
        return fmt::format("ended with code {}", WEXITSTATUS(status));
    }
    return WTERMSIG(status) == SIGXCPU
               ? fmt::format("endless: {} s of a processor, and no end", limit.count())
               : fmt::format("ended by signal {}", WTERMSIG(status));
}

void end_after(std::chrono::seconds limit) {
    const auto seconds = static_cast<rlim_t>(limit.count());
    const rlimit cpu{.rlim_cur = seconds, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_CPU, &cpu);
}

}  // namespace

std::chrono::seconds longest(const DaysOptions& options) {
    constexpr std::uint64_t of_a_day = 300;
    constexpr std::uint64_t messages_a_second = 20;
    return std::chrono::seconds(
        options.days * (of_a_day + (options.messages + options.inbound) / messages_a_second));
}

SeedProcess::SeedProcess(const DaysOptions& options, std::chrono::seconds limit)
    : options_(options), limit_(limit), begun_(std::chrono::steady_clock::now()) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0 || (pid_ = ::fork()) < 0) {
        throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
    }
    if (pid_ == 0) {
        ::close(ends[0]);
        end_after(limit_);
        write_all(ends[1], encode(live_whatever_comes(options_)));
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

DaysResult SeedProcess::result() {
    const std::string text = read_all(output_);
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return text.empty() ? DaysResult{.totals = {}, .violation = how_it_ended(status, limit_)}
                        : decode(text);
}

}  // namespace smsrack::simulate
