#include "firmware-host/setup/folder_check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::host {
namespace {

/// StateDirectory= and RuntimeDirectory= of smsrackd.service: systemd makes them with rights that the service alone has not.
constexpr std::array<std::string_view, 2> made_by_systemd{"/var/lib/smsrack", "/run/smsrack"};

std::string words_of(int error) {
    return std::generic_category().message(error);
}

/// A symbolic link that points nowhere can't become a folder, and mkdir(2) says only that it is there.
bool is_dangling(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_symlink(std::filesystem::symlink_status(path, ignored));
}

}  // namespace

std::optional<std::string> folder_fault(const std::filesystem::path& folder) {
    std::filesystem::path found = folder;
    struct stat about {};
    while (::stat(found.c_str(), &about) != 0) {
        const int error = errno;
        if (error == ENOENT && is_dangling(found)) {
            return fmt::format("{} is a link to a missing file", found.string());
        }
        if ((error != ENOENT && error != ENOTDIR) || !found.has_relative_path()) {
            return fmt::format("{}: {}", found.string(), words_of(error));
        }
        found = found.parent_path();
    }
    if (!S_ISDIR(about.st_mode)) {
        return fmt::format("{} is not a folder", found.string());
    }
    if (found != folder && std::ranges::find(made_by_systemd, std::string_view(folder.native())) !=
                               made_by_systemd.end()) {
        return std::nullopt;
    }
    if (::faccessat(AT_FDCWD, found.c_str(), W_OK | X_OK, AT_EACCESS) != 0 && errno != EROFS) {
        return fmt::format("{}: {}", found.string(), words_of(errno));
    }
    return std::nullopt;
}

}  // namespace smsrack::host
