#include "tools/smsrack/dashboard/spawn.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::cli {

Spawn::Spawn() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t none{};
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

Spawn::~Spawn() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
}

void Spawn::give(int fd, int as) {
    posix_spawn_file_actions_adddup2(&actions_, fd, as);
}

void Spawn::give_nothing(int as) {
    posix_spawn_file_actions_addopen(&actions_, as, "/dev/null", O_RDWR, 0);
}

Result<pid_t> Spawn::start(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    pid_t pid = -1;
    const int error =
        posix_spawnp(&pid, arguments.front(), &actions_, &attributes_, arguments.data(), environ);
    if (error != 0) {
        return fail(error == ENOENT ? Errc::not_found : Errc::not_allowed,
                    words.front() + " can't be started: " + std::generic_category().message(error),
                    error);
    }
    return pid;
}

}  // namespace smsrack::cli
