#include "db/engine/reserve.hpp"

#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::db {
namespace {

std::filesystem::path reserve_of(std::filesystem::path database) {
    return database += "-reserve";
}

}  // namespace

void keep_reserve(const std::filesystem::path& database) {
    const std::filesystem::path file = reserve_of(database);
    std::error_code error;
    if (std::filesystem::file_size(file, error) == reserve_size && !error) {
        return;
    }
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) {
        return;
    }
    const bool kept = ::posix_fallocate(descriptor, 0, reserve_size) == 0;
    ::close(descriptor);
    if (!kept) {
        ::unlink(file.c_str());
    }
}

bool give_reserve_back(const std::filesystem::path& database) {
    return ::unlink(reserve_of(database).c_str()) == 0;
}

}  // namespace smsrack::db
