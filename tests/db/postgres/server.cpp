#include "tests/db/postgres/server.hpp"

#include "tests/db/postgres/session.hpp"
#include "tests/support/process.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <fmt/format.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

const fs::path programs = "/usr/lib/postgresql/15/bin";

/// The server refuses to run as root; the package has an account for it.
const passwd* server_account() {
    return ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr;
}

int free_port() {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    (void)::bind(probe, reinterpret_cast<const sockaddr*>(&address), size);
    (void)::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
    (void)::close(probe);
    return ntohs(address.sin_port);
}

}  // namespace

PostgresServer::PostgresServer(ServerSettings settings)
    : settings_(std::move(settings)), folder_(settings_.parent) {
    fs::create_directory(socket_folder());
    if (const passwd* account = server_account()) {
        for (const fs::path& path : {folder_.path(), socket_folder()}) {
            if (::chown(path.c_str(), account->pw_uid, account->pw_gid) != 0) {
                throw std::runtime_error("chown " + path.string());
            }
        }
    }
    if (settings_.copy_of.empty()) {
        run({programs / "initdb", "-D", folder_.path() / "data", "-U", "postgres", "-A", "trust",
             "-E", "UTF8", "--locale=C", "-k", "-N"});
    } else {
        run({"/bin/mv", settings_.copy_of, folder_.path() / "data"});
    }
    if (settings_.loopback) {
        port_ = free_port();
    }
    start();
}

PostgresServer::~PostgresServer() {
    if (server_) {
        server_->signal(SIGINT);  // fast: it ends the sessions
        (void)server_->wait(10s);
    }
}

rig::Command PostgresServer::command(std::vector<std::string> words) const {
    rig::Command command{.words = std::move(words), .output = folder_.path() / "log"};
    if (const passwd* account = server_account()) {
        command.words.insert(command.words.begin(),
                             {"/usr/bin/setpriv", fmt::format("--reuid={}", account->pw_uid),
                              fmt::format("--regid={}", account->pw_gid), "--clear-groups", "--"});
    }
    return command;
}

void PostgresServer::run(std::vector<std::string> words) const {
    rig::Process process(command(std::move(words)));
    const auto ending = process.wait(60s);
    if (!ending || ending->code != 0) {
        throw std::runtime_error("it failed: " + read_file(folder_.path() / "log"));
    }
}

void PostgresServer::start() {
    std::vector<std::string> words{programs / "postgres", "-D", folder_.path() / "data"};
    std::vector<std::string> options{
        settings_.loopback ? "listen_addresses=127.0.0.1" : "listen_addresses=",
        fmt::format("port={}", port_),
        "unix_socket_directories=" + socket_folder().string(),
        settings_.fsync ? "fsync=on" : "fsync=off",
        "shared_buffers=64MB",
        "max_connections=40",
        "log_checkpoints=off"};
    options.insert(options.end(), settings_.options.begin(), settings_.options.end());
    for (const std::string& option : options) {
        words.insert(words.end(), {"-c", option});
    }
    server_ = std::make_unique<rig::Process>(command(std::move(words)));
    const bool answers =
        wait_for(30s, [&] { return !server_->running() || Session::can_open(conninfo()); });
    if (!answers || !server_->running()) {
        throw std::runtime_error("it does not start: " + read_file(folder_.path() / "log"));
    }
}

void PostgresServer::kill_all() {
    const auto all = processes();
    for (const pid_t pid : all) {
        (void)::kill(pid, SIGKILL);
    }
    (void)server_->wait(10s);
    (void)wait_for(10s, [&] {
        return std::ranges::all_of(all, [](pid_t pid) { return ::kill(pid, 0) != 0; });
    });
    server_.reset();
    fs::remove(folder_.path() / "data/postmaster.pid");
}

void PostgresServer::back_up() {
    kill_all();
    run({"/bin/cp", "-a", folder_.path() / "data", folder_.path() / "backup"});
    start();
}

void PostgresServer::restore() {
    kill_all();
    fs::remove_all(folder_.path() / "data");
    run({"/bin/cp", "-a", folder_.path() / "backup", folder_.path() / "data"});
    start();
}

std::string PostgresServer::conninfo(const std::string& database, const std::string& user) const {
    return fmt::format("host={} port={} dbname={} user={}", socket_folder().string(), port_,
                       database, user);
}

std::string PostgresServer::conninfo_tcp(const std::string& database,
                                         const std::string& user) const {
    return fmt::format("host=127.0.0.1 port={} dbname={} user={}", port_, database, user);
}

std::unique_ptr<PostgresServer> PostgresServer::make_standby(const std::string& name) {
    const fs::path copy = folder_.path() / ("copy-" + name);
    run({programs / "pg_basebackup", "-h", socket_folder(), "-p", std::to_string(port_), "-U",
         "postgres", "-D", copy, "-R", "-c", "fast", "-X", "stream"});
    ServerSettings settings{.parent = settings_.parent, .fsync = settings_.fsync, .copy_of = copy};
    settings.options = {
        fmt::format("primary_conninfo=host={} port={} user=postgres application_name={}",
                    socket_folder().string(), port_, name),
        "synchronous_standby_names="};
    return std::make_unique<PostgresServer>(std::move(settings));
}

std::vector<pid_t> PostgresServer::processes() const {
    std::vector<pid_t> all{server_->pid()};
    std::istringstream children(
        read_file(fmt::format("/proc/{0}/task/{0}/children", server_->pid())));
    for (pid_t child = 0; children >> child;) {
        all.push_back(child);
    }
    return all;
}

std::chrono::microseconds PostgresServer::processor_time() const {
    std::int64_t ticks = 0;
    for (const pid_t pid : processes()) {
        const std::string stat = read_file(fmt::format("/proc/{}/stat", pid));
        std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 2)));
        std::string skipped;
        std::int64_t user = 0;
        std::int64_t system = 0;
        std::int64_t user_of_children = 0;
        std::int64_t system_of_children = 0;
        constexpr int before = 11;  // state to cmajflt
        for (int i = 0; i < before; ++i) {
            fields >> skipped;
        }
        fields >> user >> system >> user_of_children >> system_of_children;
        ticks += user + system;
        if (pid == server_->pid()) {
            ticks += user_of_children + system_of_children;
        }
    }
    return std::chrono::microseconds(ticks * 1'000'000 / ::sysconf(_SC_CLK_TCK));
}

}  // namespace smsrack::test
