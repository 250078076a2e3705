#include "tests/programs/support/wake_unit.hpp"

#include "tests/support/rack.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace smsrack::test {

WakeUnit::WakeUnit(const std::string& script)
    : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const auto wake = folder() / "wake";
    std::ofstream(wake) << fmt::format("#!/bin/sh\ncd '{}' || exit 1\n{}\n", folder().string(),
                                       script);
    std::filesystem::permissions(wake, std::filesystem::perms(0755));
    std::ofstream(folder() / "smsrack.toml")
        << "[cluster]\nname = \"unit\"\nengine = \"postgresql://localhost/x\"\n"
        << keys();
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string path = folder() / "wake.sock";
    if (path.size() >= sizeof address.sun_path) {
        throw std::runtime_error(path + " is too long for a socket");
    }
    std::memcpy(address.sun_path, path.c_str(), path.size());
    constexpr int backlog = 8;
    if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener_, backlog) != 0) {
        throw std::runtime_error(path + " can't be listened at");
    }
    thread_ = std::jthread([this] { serve(); });
}

WakeUnit::~WakeUnit() {
    ::shutdown(listener_, SHUT_RDWR);  // accept() ends
    thread_.join();
    ::close(listener_);
}

std::string WakeUnit::keys() const {
    return fmt::format("wake = \"{}\"\nwake_socket = \"{}\"\n", (folder() / "wake").string(),
                       (folder() / "wake.sock").string());
}

void WakeUnit::serve() {
    for (;;) {
        const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) {
            return;
        }
        std::vector<std::string> words{program("smsrack"), "cluster", "power", "--config",
                                       folder() / "smsrack.toml"};
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, connection, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, connection, STDOUT_FILENO);
        pid_t pid = -1;
        const int error =
            ::posix_spawn(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(connection);
        if (error == 0) {
            (void)::waitpid(pid, nullptr, 0);
        }
    }
}

}  // namespace smsrack::test
