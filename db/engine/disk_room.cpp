#include "db/engine/disk_room.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::db {
namespace {

constexpr const char* trial_name = "room";

bool write_all(int descriptor, const std::string& octets) {
    std::size_t done = 0;
    while (done < octets.size()) {
        const ssize_t count = ::write(descriptor, octets.data() + done, octets.size() - done);
        if (count <= 0) {
            return false;
        }
        done += static_cast<std::size_t>(count);
    }
    return ::fdatasync(descriptor) == 0;
}

}  // namespace

std::optional<ports::DiskRoom> disk_room(const std::filesystem::path& folder) {
    struct statvfs about {};
    if (::statvfs(folder.c_str(), &about) != 0) {
        return std::nullopt;
    }
    const auto blocks = ::geteuid() == 0 ? about.f_bfree : about.f_bavail;
    return ports::DiskRoom{.free = std::uint64_t{blocks} * about.f_frsize,
                           .whole = std::uint64_t{about.f_blocks} * about.f_frsize};
}

Result<> try_disk(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / trial_name;
    const int descriptor =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    const bool written = descriptor >= 0 && write_all(descriptor, std::string(room_tried, '\0'));
    const int why = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
        ::unlink(file.c_str());
    }
    if (!written) {
        return fail(Errc::storage,
                    fmt::format("{}: {}", folder.string(), std::generic_category().message(why)),
                    why);
    }
    return {};
}

}  // namespace smsrack::db
