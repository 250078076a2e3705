#include "tools/rig/scratch.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <system_error>
#include <utility>

namespace smsrack::rig {
namespace {

struct FileSystem {
    std::uint32_t magic;  // as in statfs(2)
    const char* name;
    bool in_memory = false;
};

constexpr std::array file_systems{
    FileSystem{0xEF53, "ext4"},
    FileSystem{0x58465342, "xfs"},
    FileSystem{0x9123683E, "btrfs"},
    FileSystem{0xF2F52010, "f2fs"},
    FileSystem{0x794C7630, "overlayfs"},
    FileSystem{0x2FC12FC1, "zfs"},
    FileSystem{0x01021994, "tmpfs", true},
    FileSystem{0x858458F6, "ramfs", true},
};

FileSystem file_system_of(const std::filesystem::path& path) {
    struct statfs found {};
    if (statfs(path.c_str(), &found) == 0) {
        for (const FileSystem& one : file_systems) {
            if (one.magic == static_cast<std::uint32_t>(found.f_type)) {
                return one;
            }
        }
    }
    return {.magic = 0, .name = "another file system"};
}

}  // namespace

Result<Scratch> Scratch::make(const std::filesystem::path& parent) {
    const FileSystem below = file_system_of(parent);
    if (below.in_memory) {
        return fail(Errc::storage, fmt::format("{} is {}: set TMPDIR to a folder on a disk",
                                               parent.string(), below.name));
    }
    std::error_code error;
    std::string name =
        (std::filesystem::canonical(parent, error) / "smsrack-bench-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) {
        return fail(Errc::not_allowed, parent.string(), error ? error.value() : errno);
    }
    return Scratch(name, below.name);
}

Scratch::Scratch(std::filesystem::path path, std::string file_system)
    : path_(std::move(path)), file_system_(std::move(file_system)) {}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      file_system_(std::move(other.file_system_)),
      keep_(other.keep_) {}

Scratch::~Scratch() {
    if (!path_.empty() && !keep_) {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
}

}  // namespace smsrack::rig
