#include "firmware-host/system/small_file.hpp"

#include "db/engine/sync_folder.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::host {
namespace {

std::unexpected<Error> failed(const std::string& path, int error) {
    const bool refused = error == EACCES || error == EPERM;
    return fail(refused ? Errc::not_allowed : Errc::storage,
                path + ": " + std::generic_category().message(error), error);
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(file, text.data(), text.size());
        if (count <= 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    return true;
}

}  // namespace

Result<> write_small_file(const std::string& path, std::string_view text, mode_t mode,
                          Lasts lasts) {
    const std::string fresh = path + ".new";
    const int file =
        ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
        return failed(fresh, errno);
    }
    const bool written = write_all(file, text) && ::fchmod(file, mode) == 0 &&
                         (lasts == Lasts::usually || ::fsync(file) == 0);
    const int error = errno;
    ::close(file);
    if (!written) {
        (void)::unlink(fresh.c_str());
        return failed(fresh, error);
    }
    if (::rename(fresh.c_str(), path.c_str()) != 0 ||
        (lasts == Lasts::for_sure && !db::sync_folder_of(path))) {
        return failed(path, errno);
    }
    return {};
}

}  // namespace smsrack::host
