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

/// Calls `found` with the folder of every process but this one.
template <typename Found>
void each_process(Found found) {
    const std::string self = fmt::to_string(::getpid());
    std::error_code ignored;
    for (fs::directory_iterator process("/proc", ignored), end; !ignored && process != end;
         process.increment(ignored)) {
        const std::string pid = process->path().filename().string();
        if (is_number(pid) && pid != self) {
            found(process->path());
        }
    }
}

std::string name_of(const fs::path& process) {
    std::string name;
    std::ifstream comm(process / "comm");
    return std::getline(comm, name) ? name : std::string();
}

/// "gammu-smsd (pid 812)"
std::string words_for(const fs::path& process) {
    const std::string name = name_of(process);
    const std::string pid = process.filename().string();
    return name.empty() ? "pid " + pid : fmt::format("{} (pid {})", name, pid);
}

/// The other processes that have the file open.
std::vector<fs::path> openers(const fs::path& path) {
    std::vector<fs::path> found;
    each_process([&](const fs::path& process) {
        if (has_open(process, path)) {
            found.push_back(process);
        }
    });
    return found;
}

}  // namespace

std::string port_holder(const std::string& path) {
    struct stat file {};
    std::error_code unresolved;
    const fs::path resolved = fs::canonical(path, unresolved);
    if (unresolved || ::stat(path.c_str(), &file) != 0) {
        return {};
    }
    if (const std::string pid = lock_owner(file); !pid.empty()) {
        return words_for("/proc/" + pid);
    }
    const auto others = openers(resolved);
    return others.empty() ? std::string() : words_for(others.front());
}

std::vector<std::string> port_users(const std::string& path) {
    std::error_code unresolved;
    const fs::path resolved = fs::canonical(path, unresolved);
    std::vector<std::string> users;
    if (unresolved) {
        return users;
    }
    for (const fs::path& process : openers(resolved)) {
        if (!has_open(process, "/dev/ptmx") && !has_open(process, "/dev/pts/ptmx")) {
            users.push_back(words_for(process));
        }
    }
    return users;
}

std::vector<std::string> programs_named(std::string_view name) {
    std::vector<std::string> found;
    each_process([&](const fs::path& process) {
        if (name_of(process) == name) {
            found.push_back(words_for(process));
        }
    });
    return found;
}

}  // namespace smsrack::serial
