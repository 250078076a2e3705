/// Starts a program next to this one: it has no signal blocked, and Ctrl-C does not reach it.
///
/// Errors:  not_found: there is no such program; not_allowed: the system refuses it.
#pragma once

#include "src/base/result.hpp"

#include <spawn.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace smsrack::cli {

class Spawn {
public:
    Spawn();
    Spawn(const Spawn&) = delete;
    Spawn& operator=(const Spawn&) = delete;
    ~Spawn();

    /// The program has `fd` as its descriptor `as`.
    void give(int fd, int as);
    void give_nothing(int as);

    /// The first of `words` is looked up in PATH. Returns the process, which the caller waits for.
    [[nodiscard]] Result<pid_t> start(std::vector<std::string> words);

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace smsrack::cli
