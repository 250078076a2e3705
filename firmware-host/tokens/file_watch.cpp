#include "firmware-host/tokens/file_watch.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <sys/inotify.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::host {
namespace {

Errc code_of(int error) {
    return error == EACCES ? Errc::not_allowed : error == ENOENT ? Errc::not_found : Errc::internal;
}

}  // namespace

Result<std::unique_ptr<FileWatch>> FileWatch::make(const std::filesystem::path& file,
                                                   net::Loop& loop, std::function<void()> changed) {
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    constexpr std::uint32_t changes =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_ONLYDIR;
    const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0 || ::inotify_add_watch(fd, folder.c_str(), changes) < 0) {
        const int error = errno;
        if (fd >= 0) {
            ::close(fd);
        }
        return fail(code_of(error), folder.string() + ": " + std::system_category().message(error),
                    error);
    }
    return std::unique_ptr<FileWatch>(
        new FileWatch(fd, file.filename().string(), loop, std::move(changed)));
}

FileWatch::FileWatch(int fd, std::string name, net::Loop& loop, std::function<void()> changed)
    : fd_(fd),
      name_(std::move(name)),
      changed_(std::move(changed)),
      readable_(loop.on_readable(fd, [this] { read_changes(); })) {}

FileWatch::~FileWatch() {
    readable_.reset();
    ::close(fd_);
}

void FileWatch::read_changes() {
    alignas(inotify_event) std::array<char, 4096> buffer{};
    bool mine = false;
    for (ssize_t count = ::read(fd_, buffer.data(), buffer.size()); count > 0;
         count = ::read(fd_, buffer.data(), buffer.size())) {
        std::string_view rest(buffer.data(), static_cast<std::size_t>(count));
        while (rest.size() >= sizeof(inotify_event)) {
            inotify_event event{};
            std::memcpy(&event, rest.data(), sizeof event);
            rest.remove_prefix(sizeof event);
            const std::string_view padded = rest.substr(0, event.len);
            rest.remove_prefix(padded.size());
            mine = mine || padded.substr(0, padded.find('\0')) == name_ ||
                   (event.mask & IN_Q_OVERFLOW) != 0;
        }
    }
    if (mine) {
        changed_();
    }
}

}  // namespace smsrack::host
