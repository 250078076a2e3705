#include "firmware-host/process/listen_fds.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace smsrack::host {
namespace {

constexpr int first_fd = 3;  // sd_listen_fds(3)

std::optional<long> listened_number(std::string_view text) {
    long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
               ? std::optional(number)
               : std::nullopt;
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    std::string text = value == nullptr ? "" : value;
    ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
    return text;
}

}  // namespace

NamedFds fds_of_environment() {
    const std::string pid = variable("LISTEN_PID");
    const std::string count = variable("LISTEN_FDS");
    const std::string names = variable("LISTEN_FDNAMES");
    if (listened_number(pid) != ::getpid()) {
        return {};
    }
    NamedFds fds;
    std::string_view rest = names;
    for (int i = 0; i < listened_number(count).value_or(0); ++i) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const std::string_view name = rest.substr(0, colon);
        rest.remove_prefix(std::min(colon + 1, rest.size()));
        const int fd = first_fd + i;
        if (::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0) {
            fds.emplace_back(name.empty() ? "unknown" : name, serial::OwnedFd(fd));
        }
    }
    return fds;
}

}  // namespace smsrack::host
