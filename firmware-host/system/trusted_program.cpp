#include "firmware-host/system/trusted_program.hpp"

#include "db/upkeep/trusted_place.hpp"
#include "src/base/hash.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::host {
namespace {

// Above the standard streams and what a successor inherits.
constexpr int lowest_fd = 10;

std::string exec_path_of(int fd) {
    return fmt::format("/proc/self/fd/{}", fd);
}

bool is_binary(int fd) {
    constexpr std::string_view elf =
        "\x7F"
        "ELF";
    std::array<char, elf.size()> begin{};
    return ::pread(fd, begin.data(), begin.size(), 0) == static_cast<ssize_t>(begin.size()) &&
           std::string_view(begin.data(), begin.size()) == elf;
}

/// As /tmp: a name that is free now may be anyone's file in a moment.
bool everyone_may_add_to(const std::filesystem::path& folder) {
    struct stat about {};
    return ::stat(folder.c_str(), &about) != 0 || (about.st_mode & 0022) != 0;
}

std::unexpected<Error> distrusted(const std::string& path, const std::string& why) {
    return fail(Errc::forbidden, fmt::format("{} is not run: {}. Only root or the service's user "
                                             "may be able to change the file and its folders",
                                             path, why));
}

}  // namespace

TrustedProgram::TrustedProgram(std::string path, serial::OwnedFd fd)
    : path_(std::move(path)), fd_(std::move(fd)), exec_path_(exec_path_of(fd_.get())) {}

Result<TrustedProgram> TrustedProgram::open(const std::string& path, uid_t own) {
    const serial::OwnedFd opened(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    serial::OwnedFd fd(opened.get() < 0 ? -1 : ::fcntl(opened.get(), F_DUPFD_CLOEXEC, lowest_fd));
    struct stat about {};
    if (fd.get() < 0 || ::fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode) ||
        ::access(exec_path_of(fd.get()).c_str(), X_OK) != 0) {
        return fail(Errc::bad_request, path + ": there is no program that the service may run");
    }
    std::error_code unknown;
    const auto real = std::filesystem::read_symlink(exec_path_of(fd.get()), unknown);
    if (unknown || !real.is_absolute()) {
        return distrusted(path, "its location is unknown");
    }
    if (const auto why = db::changeable(about, real, own)) {
        return distrusted(path, *why);
    }
    if (const auto why = db::changeable_way(real.parent_path(), own)) {
        return distrusted(path, *why);
    }
    if (everyone_may_add_to(real.parent_path())) {
        return distrusted(path, "everyone may write to " + real.parent_path().string());
    }
    if (!is_binary(fd.get())) {
        return distrusted(path, "it is not a binary; scripts are refused");
    }
    return TrustedProgram(path, std::move(fd));
}

namespace {

Result<std::string> hash_of_file(int fd) {
    Hasher128 hasher;
    std::vector<char> piece(64UL * 1024);
    off_t at = 0;
    for (;;) {
        const ssize_t count = ::pread(fd, piece.data(), piece.size(), at);
        if (count < 0) {
            return fail(Errc::bad_request, std::generic_category().message(errno), errno);
        }
        if (count == 0) {
            return hasher.text();
        }
        hasher.add({piece.data(), static_cast<std::size_t>(count)});
        at += count;
    }
}

}  // namespace

Result<std::string> TrustedProgram::hash() const {
    return hash_of_file(fd_.get());
}

Result<> TrustedProgram::require(const std::string& hash) const {
    if (hash.empty()) {
        return {};
    }
    const auto own = this->hash();
    if (!own) {
        return std::unexpected(own.error());
    }
    return *own == hash
               ? Result<>()
               : fail(Errc::conflict, path_ + ": another file than the one that was ordered");
}

Result<std::string> hash_of_running_program() {
    const serial::OwnedFd fd(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    return hash_of_file(fd.get());
}

}  // namespace smsrack::host
