#include "tests/simulate/seed_process.hpp"

#include "src/wire/json.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
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

std::string how_it_ended(int status) {
    return WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                               : fmt::format("ended with code {}", WEXITSTATUS(status));
}

}  // namespace

SeedProcess::SeedProcess(const DaysOptions& options)
    : options_(options), begun_(std::chrono::steady_clock::now()) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0 || (pid_ = ::fork()) < 0) {
        throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
    }
    if (pid_ == 0) {
        ::close(ends[0]);
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
    return text.empty() ? DaysResult{.totals = {}, .violation = how_it_ended(status)}
                        : decode(text);
}

}  // namespace smsrack::simulate
