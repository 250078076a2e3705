#include "tools/smsrack/whole_file.hpp"

#include "db/engine/sync_folder.hpp"
#include "tools/client/unique_fd.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::cli {
namespace {

using client::UniqueFd;
namespace fs = std::filesystem;

constexpr std::size_t small_max = 1024UL * 1024;

std::unexpected<Error> failure_at(const fs::path& file, int error) {
    const Errc code = error == EEXIST                     ? Errc::conflict
                      : error == EACCES || error == EPERM ? Errc::not_allowed
                      : error == ENOENT                   ? Errc::not_found
                                                          : Errc::storage;
    return fail(code, file.string() + ": " + std::generic_category().message(error), error);
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(fd, text.data(), text.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

/// Renames; with Existing::keep only to a name that is free.
bool put(const fs::path& from, const fs::path& to, Existing existing) {
    if (existing == Existing::keep) {
        if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
            return true;
        }
        if (errno != EINVAL) {
            return false;
        }
    }
    return ::rename(from.c_str(), to.c_str()) == 0;  // or a file system without RENAME_NOREPLACE
}

}  // namespace

Result<> write_whole_file(const fs::path& file, std::string_view text, Existing existing,
                          mode_t mode, std::optional<gid_t> group, std::optional<uid_t> user) {
    constexpr uid_t as_it_is = static_cast<uid_t>(-1);
    std::error_code ignored;
    if (existing == Existing::keep && fs::exists(fs::symlink_status(file, ignored))) {
        return failure_at(file, EEXIST);
    }
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::string partial = (folder / ("." + file.filename().string() + ".XXXXXX")).string();
    const UniqueFd fd(::mkostemp(partial.data(), O_CLOEXEC));
    if (!fd) {
        return failure_at(folder, errno);
    }
    if (!write_all(fd.get(), text) ||
        ((group || user) &&
         ::fchown(fd.get(), user.value_or(as_it_is), group.value_or(as_it_is)) != 0) ||
        ::fchmod(fd.get(), mode) != 0 || ::fsync(fd.get()) != 0 || !put(partial, file, existing)) {
        const int error = errno;
        (void)::unlink(partial.c_str());
        return failure_at(file, error);
    }
    if (!db::sync_folder_of(file)) {
        return failure_at(folder, errno);
    }
    return {};
}

Result<std::string> read_small_file(const fs::path& file) {
    const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::string content;
    std::array<char, 4'096> piece{};
    ssize_t count = fd ? 1 : -1;
    while (count > 0 && content.size() <= small_max) {
        count = ::read(fd.get(), piece.data(), piece.size());
        content.append(piece.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    if (count < 0) {
        return failure_at(file, errno);
    }
    if (content.size() > small_max) {
        return fail(Errc::too_long, file.string() + ": longer than 1 MiB");
    }
    return content;
}

}  // namespace smsrack::cli
