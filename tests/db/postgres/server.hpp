/// A PostgreSQL server of a test: a cluster in a temporary folder, that no one else uses and that leaves nothing.
///
/// It is Debian's package postgresql-15, started by the test: no service of that package runs.
/// Threads: one.
#pragma once

#include "tests/support/temp_dir.hpp"
#include "tools/rig/process.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

struct ServerSettings {
    std::filesystem::path parent = std::filesystem::temp_directory_path();
    bool fsync = false;     ///< a test that cuts no power need not wait for the disk
    bool loopback = false;  ///< it also listens at a free port of 127.0.0.1
    std::vector<std::string> options = {};  ///< as "name=value"
    /// The data of another server, made by base_backup(); empty: a new cluster.
    std::filesystem::path copy_of = {};
};

class PostgresServer {
public:
    /// Throws where the server does not start.
    explicit PostgresServer(ServerSettings settings = {});
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;
    ~PostgresServer();

    /// Of libpq, as the superuser; with another role: that one.
    [[nodiscard]] std::string conninfo(const std::string& database = "postgres",
                                       const std::string& user = "postgres") const;
    [[nodiscard]] std::filesystem::path socket_folder() const { return folder_.path() / "run"; }
    /// The same over TCP on the loopback, as from another machine. Only with `loopback`.
    [[nodiscard]] std::string conninfo_tcp(const std::string& database,
                                           const std::string& user) const;
    /// The file of its socket.
    [[nodiscard]] std::filesystem::path socket_file() const {
        return socket_folder() / (".s.PGSQL." + std::to_string(port_));
    }

    void start();
    /// As a power cut of the machine, but for the page cache: the postmaster and all its processes.
    void kill_all();
    /// Ends as kill_all(), and starts with the same data, of which there is a copy now.
    void back_up();
    /// Ends as kill_all(), and starts with the data of the last back_up().
    void restore();
    /// Starts a server that follows this one: its name in synchronous_standby_names is `name`.
    [[nodiscard]] std::unique_ptr<PostgresServer> make_standby(const std::string& name);
    /// The postmaster and its children.
    [[nodiscard]] std::vector<pid_t> processes() const;
    /// Processor time of all its processes that ever ran.
    [[nodiscard]] std::chrono::microseconds processor_time() const;

private:
    [[nodiscard]] rig::Command command(std::vector<std::string> words) const;
    void run(std::vector<std::string> words) const;

    const ServerSettings settings_;
    TempDir folder_;
    int port_ = 5432;
    std::unique_ptr<rig::Process> server_;
};

}  // namespace smsrack::test
