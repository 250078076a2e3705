#include "drivers/serial/port_holder.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::serial {
namespace {

namespace fs = std::filesystem;

bool is_number(std::string_view text) {
    return !text.empty() &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The pid of /proc/locks that has a flock() on the file, or empty.
std::string lock_owner(const struct stat& file) {
    const std::string wanted =
        fmt::format("{:02x}:{:02x}:{}", major(file.st_dev), minor(file.st_dev), file.st_ino);
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream fields(line);
        std::string number, kind, mode, access, pid, inode;
        fields >> number >> kind >> mode >> access >> pid >> inode;
        if (kind == "FLOCK" && inode == wanted && is_number(pid)) {
            return pid;
        }
    }
    return {};
}

bool has_open(const fs::path& process, const fs::path& path) {
    std::error_code ignored;
    for (fs::directory_iterator fd(process / "fd", ignored), end; !ignored && fd != end;
         fd.increment(ignored)) {
        std::error_code unreadable;
        if (fs::read_symlink(fd->path(), unreadable) == path && !unreadable) {
            return true;
        }
    }
    return false;
}

/// The pid of the first other process that has the file open, or empty.
std::string open_owner(const fs::path& path) {
    const std::string self = fmt::to_string(::getpid());
    std::error_code ignored;
    for (fs::directory_iterator process("/proc", ignored), end; !ignored && process != end;
         process.increment(ignored)) {
        const std::string pid = process->path().filename().string();
        if (is_number(pid) && pid != self && has_open(process->path(), path)) {
            return pid;
        }
    }
    return {};
}

}  // namespace

std::string port_holder(const std::string& path) {
    struct stat file {};
    std::error_code unresolved;
    const fs::path resolved = fs::canonical(path, unresolved);
    if (unresolved || ::stat(path.c_str(), &file) != 0) {
        return {};
    }
    std::string pid = lock_owner(file);
    if (pid.empty()) {
        pid = open_owner(resolved);
    }
    if (pid.empty()) {
        return {};
    }
    std::string name;
    std::ifstream comm("/proc/" + pid + "/comm");
    return std::getline(comm, name) ? fmt::format("{} (pid {})", name, pid) : "pid " + pid;
}

}  // namespace smsrack::serial
