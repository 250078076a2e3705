/// Tells when a file appears, changes, is replaced or goes; by inotify on its folder.
///
/// Time:    some milliseconds after the change.
/// Threads: loop thread.
/// Errors:  not_allowed, not_found or internal with errno in `detail`: the folder can't be watched.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/base/result.hpp"

#include <filesystem>
#include <functional>
#include <memory>

namespace smsrack::host {

class FileWatch {
public:
    /// `loop` outlives the watch. `changed` must not destroy it.
    [[nodiscard]] static Result<std::unique_ptr<FileWatch>> make(const std::filesystem::path& file,
                                                                 net::Loop& loop,
                                                                 std::function<void()> changed);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

private:
    FileWatch(int fd, std::string name, net::Loop& loop, std::function<void()> changed);
    void read_changes();

    const int fd_;
    const std::string name_;
    const std::function<void()> changed_;
    net::LoopWatchPtr readable_;
};

}  // namespace smsrack::host
