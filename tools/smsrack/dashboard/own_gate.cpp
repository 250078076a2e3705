#include "tools/smsrack/dashboard/own_gate.hpp"

#include "tools/smsrack/dashboard/spawn.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {
namespace {

using client::UniqueFd;

/// The one next to this program, so that both are of one version; else that of PATH.
std::string gate_program() {
    std::error_code unknown;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const auto next_to_it = own.parent_path() / "smsrack-gate";
    return std::filesystem::exists(next_to_it, unknown) ? next_to_it.string() : "smsrack-gate";
}

}  // namespace

Result<OwnGate> OwnGate::start(const std::string& socket) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0) {
        return fail(Errc::not_allowed, "no socket: " + std::generic_category().message(errno),
                    errno);
    }
    const UniqueFd gate_in(in[0]);
    UniqueFd to_gate(in[1]);
    if (::pipe2(out.data(), O_CLOEXEC) != 0) {
        return fail(Errc::not_allowed, "no pipe: " + std::generic_category().message(errno), errno);
    }
    UniqueFd from_gate(out[0]);
    const UniqueFd gate_out(out[1]);
    Spawn spawn;
    spawn.give(gate_in.get(), STDIN_FILENO);
    spawn.give(gate_out.get(), STDOUT_FILENO);
    const auto pid = spawn.start({gate_program(), "--dashboard", "--socket", socket});
    if (!pid && pid.error().code == Errc::not_found) {
        return fail(Errc::not_found,
                    "the dashboard is in the program smsrack-gate, which is not installed: sudo "
                    "apt install smsrack-gate");
    }
    if (!pid) {
        return std::unexpected(pid.error());
    }
    return OwnGate(*pid, std::move(to_gate), std::move(from_gate));
}

OwnGate::OwnGate(pid_t pid, UniqueFd input, UniqueFd output)
    : pid_(pid), input_(std::move(input)), output_(std::move(output)) {}

OwnGate::OwnGate(OwnGate&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)) {}

OwnGate::~OwnGate() {
    if (pid_ < 0) {
        return;
    }
    input_.reset();
    (void)::kill(pid_, SIGTERM);
    // It ends its streams at once. What a page still waits for is not worth more.
    constexpr int ends_within_ms = 2'000;
    pollfd ended{.fd = output_.get(), .events = 0, .revents = 0};
    if (::poll(&ended, 1, ends_within_ms) <= 0) {
        (void)::kill(pid_, SIGKILL);
    }
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::optional<std::string> OwnGate::next_address() {
    std::string line;
    while (!line.ends_with('\n')) {
        char octet = 0;
        const ssize_t count = ::read(output_.get(), &octet, 1);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return std::nullopt;
        }
        line += octet;
    }
    line.pop_back();
    return line;
}

void OwnGate::ask_for_another() {
    (void)::send(input_.get(), "\n", 1, MSG_NOSIGNAL);
}

}  // namespace smsrack::cli
