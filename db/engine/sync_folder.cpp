#include "db/engine/sync_folder.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace smsrack::db {

bool sync_folder_of(const std::filesystem::path& file) {
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    const int code = ::fsync(descriptor);
    const int error = errno;
    ::close(descriptor);
    errno = error;
    return code == 0;
}

}  // namespace smsrack::db
