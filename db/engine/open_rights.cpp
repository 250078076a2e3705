#include "db/engine/open_rights.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>

namespace smsrack::db {

std::optional<std::string> open_right(const std::filesystem::path& file) {
    constexpr mode_t permissions = 07777;
    constexpr mode_t of_others = 0077;
    struct stat about {};
    if (::lstat(file.c_str(), &about) != 0 || S_ISLNK(about.st_mode) ||
        (about.st_mode & of_others) == 0) {
        return std::nullopt;
    }
    return fmt::format("{} has mode {:04o}; it must be {}", file.string(),
                       about.st_mode & permissions, S_ISDIR(about.st_mode) ? "0700" : "0600");
}

std::vector<std::string> open_rights(const std::filesystem::path& folder) {
    auto right = open_right(folder);
    if (!right) {
        return {};
    }
    std::vector<std::string> rights{*std::move(right)};
    std::error_code error;
    for (auto at = std::filesystem::directory_iterator(folder, error);
         !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
        if (auto of_file = open_right(at->path())) {
            rights.push_back(*std::move(of_file));
        }
    }
    std::sort(rights.begin() + 1, rights.end());
    return rights;
}

}  // namespace smsrack::db
