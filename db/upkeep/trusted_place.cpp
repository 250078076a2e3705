#include "db/upkeep/trusted_place.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <system_error>

namespace smsrack::db {
namespace {

constexpr mode_t written_by_others = 0022;

bool is_sticky_folder(const struct stat& about) {
    return S_ISDIR(about.st_mode) && (about.st_mode & S_ISVTX) != 0;
}

}  // namespace

std::optional<std::string> changeable(const struct stat& about, const std::filesystem::path& path,
                                      uid_t own) {
    if (about.st_uid != 0 && about.st_uid != own) {
        return fmt::format("{} belongs to uid {}; it must belong to root or uid {}", path.string(),
                           about.st_uid, own);
    }
    if ((about.st_mode & written_by_others) != 0 && !is_sticky_folder(about)) {
        constexpr mode_t permissions = 07777;
        return fmt::format("{} has mode {:04o}, so that others may change it; sudo chmod go-w {}",
                           path.string(), about.st_mode & permissions, path.string());
    }
    return std::nullopt;
}

std::optional<std::string> changeable_way(const std::filesystem::path& folder, uid_t own) {
    std::filesystem::path at = folder;
    for (;;) {
        struct stat about {};
        if (::lstat(at.c_str(), &about) != 0) {
            return at.string() + ": " + std::generic_category().message(errno);
        }
        if (auto why = changeable(about, at, own)) {
            return why;
        }
        if (!at.has_relative_path()) {
            return std::nullopt;
        }
        at = at.parent_path();
    }
}

}  // namespace smsrack::db
