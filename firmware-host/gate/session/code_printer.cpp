#include "firmware-host/gate/session/code_printer.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace smsrack::gate {
namespace {

/// A file or /dev/null can't be waited for.
bool is_awaitable(int fd) {
    struct stat status {};
    return ::isatty(fd) == 1 ||
           (::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)));
}

}  // namespace

CodePrinter::CodePrinter(net::Loop& loop, std::string place, std::function<std::string()> new_code,
                         std::function<void()> ended)
    : place_(std::move(place)), new_code_(std::move(new_code)), ended_(std::move(ended)) {
    print();
    if (is_awaitable(STDIN_FILENO)) {
        input_ = loop.on_readable(STDIN_FILENO, [this] { read_lines(); });
    }
}

/// In the fragment, which a browser sends to no server and keeps out of its logs.
void CodePrinter::print() {
    fmt::print("http://{}/#code={}\n", place_, new_code_());
    (void)std::fflush(stdout);
}

void CodePrinter::read_lines() {
    std::array<char, 256> words{};
    const ssize_t count = ::read(STDIN_FILENO, words.data(), words.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
        return;
    }
    if (count <= 0) {
        input_.reset();
        ended_();
        return;
    }
    if (std::string_view(words.data(), static_cast<std::size_t>(count)).contains('\n')) {
        print();
    }
}

}  // namespace smsrack::gate
