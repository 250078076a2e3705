#include "tests/programs/support/hook_rack.hpp"

#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <netinet/in.h>
#include <set>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

/// One that nothing listens on now.
int unused_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    ::close(fd);
    return ntohs(address.sin_port);
}

bool listens(int port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    const bool connected =
        ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return connected;
}

std::string config_of(int port, const std::string& events, const std::string& secret,
                      const std::string& keys, const std::string& more) {
    return fmt::format(
        "{}\n[[webhook]]\nname = \"crm\"\nurl = \"http://127.0.0.1:{}/hook\"\nevents = "
        "[\"{}\"]\nsecret = {{ file = \"{}\" }}\n{}\n",
        more, port, events, secret, keys);
}

}  // namespace

std::int64_t HookCall::number() const {
    return std::stoll(id.substr(id.rfind('_') + 1));
}

HookAudit audit_of(const std::vector<HookCall>& calls) {
    HookAudit audit;
    std::map<std::string, std::string> bodies;
    std::map<std::string, std::int64_t> newest;
    for (const HookCall& call : calls) {
        const auto [first, is_new] = bodies.emplace(call.id, call.body);
        if (!is_new) {
            ++audit.repeated;
            audit.changed += first->second != call.body ? 1 : 0;
            continue;
        }
        const auto json = wire::parse_json(call.body).value();
        const std::string message = json.at("data").value("id", "");
        audit.of_message[message].push_back(json.at("type").get<std::string>());
        std::int64_t& last = newest[message];
        audit.out_of_order += call.number() < last ? 1 : 0;
        last = std::max(last, call.number());
    }
    audit.events = bodies.size();
    return audit;
}

HookRack::HookRack(const std::string& events, unsigned modems, const std::string& keys,
                   const std::string& more)
    : port_(unused_port()),
      rack_({.modems = modems, .config = config_of(port_, events, file("key"), keys, more)},
            false) {
    std::ofstream(file("key")) << "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";
}

void HookRack::start(Command command) {
    command.output = file("calls");
    receiver_ = std::make_unique<Process>(command);
    REQUIRE(wait_for(20s, [&] { return listens(port_); }));
}

void HookRack::start_receiver() {
    start({.words = {"/usr/bin/python3", "-B", SMSRACK_SOURCE_DIR "/docs/webhook_receiver.py",
                     file("key"), std::to_string(port_)}});
}

void HookRack::start_npm_receiver() {
#ifdef SMSRACK_HOOK_MODULES
    start({.words = {"/usr/bin/env", "SMSRACK_HOOK_MODULES=" SMSRACK_HOOK_MODULES, SMSRACK_NODE,
                     SMSRACK_SOURCE_DIR "/tests/programs/receiver/receiver.cjs", file("key"),
                     std::to_string(port_)}});
#else
    MESSAGE("this build has no npm: the receiver of the documentation checks the requests");
    start_receiver();
#endif
}

void HookRack::start_gate() {
    gate_ = std::make_unique<Process>(
        Command{.words = {program("smsrack-gate"), "--config", rack_.config_file()},
                .output = file("gate.log")});
}

void HookRack::kill_gate() {
    gate_->signal(SIGKILL);
    (void)gate_->wait(10s);
}

std::string HookRack::gate_log() const {
    return read_file(file("gate.log"));
}

std::size_t HookRack::refused() const {
    std::size_t refused = 0;
    std::ifstream lines(file("calls"));
    for (std::string line; std::getline(lines, line);) {
        refused += line.starts_with("refused ") ? 1 : 0;
    }
    return refused;
}

std::vector<HookCall> HookRack::calls() const {
    std::vector<HookCall> calls;
    std::ifstream lines(file("calls"));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("evt_") && line.ends_with('}')) {
            const std::size_t blank = line.find(' ');
            calls.push_back({.id = line.substr(0, blank), .body = line.substr(blank + 1)});
        }
    }
    return calls;
}

}  // namespace smsrack::test
