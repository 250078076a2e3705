#include "db/state_lock.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::db {
namespace {

std::string holder_of(int descriptor) {
    std::array<char, 32> text{};
    const ssize_t size = pread(descriptor, text.data(), text.size() - 1, 0);
    const std::string pid = size > 0 ? std::string(text.data()) : std::string();
    return pid.substr(0, pid.find('\n'));
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
    StateLock lock(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640));
    if (lock.descriptor_ < 0) {
        return fail(Errc::storage,
                    fmt::format("{}: {}", file.string(), std::generic_category().message(errno)),
                    errno);
    }
    if (flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        const int why = errno;
        if (why != EWOULDBLOCK) {
            return fail(Errc::storage,
                        fmt::format("{}: {}", file.string(), std::generic_category().message(why)),
                        why);
        }
        return fail(Errc::busy,
                    fmt::format("{} is in use by process {}", file.parent_path().string(),
                                holder_of(lock.descriptor_)),
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
