#include "db/engine/state_lock.hpp"

#include "db/engine/lock_holder.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::db {
namespace {

/// Who took the lock, as the kernel says. A lock that was passed on is known there by the process that has ended: then it is
/// the one that the file names.
std::string holder_of(int descriptor, const std::filesystem::path& file) {
    const std::array<std::filesystem::path, 1> files{file};
    if (std::string holders = lock_holders(files); !holders.empty()) {
        return holders;
    }
    std::array<char, 32> text{};
    const ssize_t size = pread(descriptor, text.data(), text.size() - 1, 0);
    const std::string pid = size > 0 ? std::string(text.data()) : std::string();
    return process_words(std::atoi(pid.c_str())).value_or("another process");
}

/// A process that was killed may hold its lock for some milliseconds more, although its parent knows that it has ended.
bool lock_soon(int descriptor) {
    constexpr int tries_max = 50;
    constexpr int pause_ms = 10;
    for (int tries = 1; flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++tries) {
        if (errno != EWOULDBLOCK || tries == tries_max) {
            return false;
        }
        (void)poll(nullptr, 0, pause_ms);  // nothing tells when a lock is free
    }
    return true;
}

void name_ourselves(int descriptor) {
    const std::string pid = fmt::format("{}\n", getpid());
    // Only words for the next one: the lock itself does not need them.
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, pid.data(), pid.size(), 0) < 0) {
        return;
    }
}

}  // namespace

Result<StateLock> StateLock::take(const std::filesystem::path& file) {
    StateLock lock(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock.descriptor_ < 0) {
        return fail(Errc::storage,
                    fmt::format("{}: {}", file.string(), std::generic_category().message(errno)),
                    errno);
    }
    if (!lock_soon(lock.descriptor_)) {
        const int why = errno;
        if (why != EWOULDBLOCK) {
            return fail(Errc::storage,
                        fmt::format("{}: {}", file.string(), std::generic_category().message(why)),
                        why);
        }
        return fail(Errc::busy,
                    fmt::format("{} is in use by {}", file.parent_path().string(),
                                holder_of(lock.descriptor_, file)),
                    why);
    }
    name_ourselves(lock.descriptor_);
    return lock;
}

StateLock StateLock::adopt(int descriptor) {
    StateLock lock(descriptor);
    name_ourselves(lock.descriptor_);
    return lock;
}

int StateLock::duplicate() const {
    return fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
}

StateLock::StateLock(StateLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

StateLock::~StateLock() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

}  // namespace smsrack::db
