#include "db/engine/lock_holder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace smsrack::db {
namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The words of "1: POSIX  ADVISORY  WRITE 4711 fd:01:1234 0 EOF"; a lock that waits has "->" behind its number.
std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (;;) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.empty()) {
            return words;
        }
        words.push_back(line.substr(0, line.find(' ')));
        line.remove_prefix(words.back().size());
    }
}

}  // namespace

std::vector<pid_t> lock_pids(std::string_view proc_locks, dev_t device, ino_t inode) {
    constexpr std::size_t pid_word = 4, file_word = 5, words_min = 6;
    const std::string wanted = fmt::format("{:02x}:{:02x}:{}", major(device), minor(device), inode);
    std::vector<pid_t> pids;
    while (!proc_locks.empty()) {
        const std::size_t end = std::min(proc_locks.find('\n'), proc_locks.size());
        const auto words = words_of(proc_locks.substr(0, end));
        proc_locks.remove_prefix(std::min(end + 1, proc_locks.size()));
        if (words.size() < words_min || words[1] == "->" || words[file_word] != wanted) {
            continue;
        }
        pid_t pid = 0;
        const std::string_view digits = words[pid_word];
        const auto [last, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), pid);
        if (error == std::errc() && pid > 0 && std::ranges::find(pids, pid) == pids.end()) {
            pids.push_back(pid);
        }
    }
    return pids;
}

std::optional<std::string> process_words(pid_t pid) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) {
        return std::nullopt;
    }
    const auto folder = std::filesystem::path("/proc") / std::to_string(pid);
    std::string name = text_of(folder / "comm");
    name.erase(std::min(name.find('\n'), name.size()));
    struct stat about {};
    if (name.empty() || ::stat(folder.c_str(), &about) != 0) {
        return fmt::format("process {}", pid);
    }
    return fmt::format("{} (process {}, uid {})", name, pid, about.st_uid);
}

std::string lock_holders(std::span<const std::filesystem::path> files) {
    const std::string locks = text_of("/proc/locks");
    std::vector<std::string> holders;
    for (const std::filesystem::path& file : files) {
        struct stat about {};
        if (::stat(file.c_str(), &about) != 0) {
            continue;
        }
        for (const pid_t pid : lock_pids(locks, about.st_dev, about.st_ino)) {
            auto words = pid == ::getpid() ? std::nullopt : process_words(pid);
            if (words && std::ranges::find(holders, *words) == holders.end()) {
                holders.push_back(*std::move(words));
            }
        }
    }
    return fmt::format("{}", fmt::join(holders, ", "));
}

}  // namespace smsrack::db
