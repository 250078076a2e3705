#include "tools/smsrack/file_lock.hpp"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <thread>

namespace smsrack::cli {

Outcome<client::UniqueFd> hold_file(const std::filesystem::path& file, std::string_view who) {
    constexpr std::chrono::milliseconds pause{50};
    constexpr int tries_max = 200;  // 10 s: a run takes some milliseconds
    const std::string lock = file.string() + ".lock";
    client::UniqueFd fd(::open(lock.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    bool held = fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
    for (int tries = 0; fd && !held && errno == EWOULDBLOCK && tries < tries_max; ++tries) {
        std::this_thread::sleep_for(pause);
        held = ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
    }
    if (held) {
        return fd;
    }
    const int error = errno;
    if (error == EWOULDBLOCK) {
        return failure(
            ExitCode::try_later,
            fmt::format("{}: another `{}` is running; nothing was changed", file.string(), who));
    }
    const bool refused = error == EACCES;
    return failure(refused ? ExitCode::not_allowed : ExitCode::failed,
                   lock + ": " + std::generic_category().message(error) +
                       (refused ? "; do this as root" : ""));
}

}  // namespace smsrack::cli
