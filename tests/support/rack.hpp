/// The real smsrackd in front of smsrack-sim, in a folder of its own, for the system tests.
///
/// Threads: one, but for `http`, which any thread may call.
/// Errors:  std::runtime_error with the end of the program's log, where something does not start in
/// time.
#pragma once

#include "src/wire/json.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/unix_http.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::test {

struct RackPlan {
    unsigned modems = 2;
    std::vector<std::string> sim_options = {"--service-ms", "20", "--report-ms", "20"};
    std::string config = {};                          ///< TOML put before the [[modem]] entries
    std::map<unsigned, std::string> modem_keys = {};  ///< TOML within the entry of this modem
    std::string more_modems = {};                     ///< further [[modem]] entries, as TOML
    /// Both programs run as this user (root only). They are copies in the rack's folder, since the
    /// user may have no right to enter the folder of the build.
    std::optional<uid_t> user = {};
    std::vector<gid_t> groups = {};        ///< further groups of that user
    std::filesystem::path state_dir = {};  ///< empty: a folder next to the rest
    std::filesystem::path service = {};    ///< another build's smsrackd; empty: this one's
};

/// One submit that a simulated modem handed to its network.
struct Submit {
    std::string modem;
    std::string to;
    std::string pdu;  ///< hex, service centre field first
    int mr = 0;
};

/// The path of one of our programs.
[[nodiscard]] std::string program(std::string_view name);

class Rack {
public:
    /// Starts the simulated modems, and the service when `and_service`.
    explicit Rack(RackPlan plan, bool and_service = true);

    /// Starts the service and waits until it is ready and every modem of the plan is active.
    void start_service();
    /// Starts the service without waiting for anything.
    void launch_service();
    void wait_ready();
    void wait_active();
    /// SIGKILL, as a crash or a loss of power.
    void kill_service();
    /// The service is this process from now on: the one before has left everything to it, and has ended. How that was.
    [[nodiscard]] Ending follow_service(pid_t pid);
    /// `smsrack` with these words, on this rack's socket.
    [[nodiscard]] Finished command(
        std::vector<std::string> words,
        std::chrono::milliseconds within = std::chrono::seconds(60)) const;
    /// SIGTERM: how it ended. Throws when it takes longer than 30 s.
    [[nodiscard]] Ending stop_service();

    [[nodiscard]] HttpAnswer http(std::string_view method, std::string_view target,
                                  std::string_view body = {}, std::string_view headers = {}) const;
    /// The JSON of a call that must answer 200.
    [[nodiscard]] wire::Json get(std::string_view target) const;
    /// The id of a message that must be accepted.
    [[nodiscard]] std::string submit(const wire::Json& message) const;
    [[nodiscard]] wire::Json message(const std::string& id) const {
        return get("/v1/messages/" + id);
    }
    /// True when the message reaches `state` within 20 s.
    [[nodiscard]] bool reaches(const std::string& id, std::string_view state) const;
    /// Stored messages by state.
    [[nodiscard]] std::map<std::string, std::int64_t> states() const;
    /// Every row of the inbox, over all pages.
    [[nodiscard]] std::vector<wire::Json> inbox() const;

    /// The answer to a command on the simulator's control socket; it must be taken.
    // NOLINTNEXTLINE(modernize-use-nodiscard): it is an order first
    wire::Json simulate(const wire::Json& command) const;
    /// What the network got so far, in order.
    [[nodiscard]] std::vector<Submit> submits() const;
    [[nodiscard]] std::vector<Submit> submits_to(std::string_view number) const;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }
    [[nodiscard]] std::filesystem::path socket() const { return folder() / "smsrack.sock"; }
    [[nodiscard]] std::filesystem::path config_file() const { return folder() / "smsrack.toml"; }
    [[nodiscard]] std::filesystem::path state_dir() const;
    /// The path of one of our programs, which the user of the plan can start.
    [[nodiscard]] std::string program(std::string_view name) const;
    [[nodiscard]] std::string service_log() const;
    [[nodiscard]] Process& service() { return *service_; }

private:
    void start_modems();
    void hand_to_user() const;
    void write_config() const;
    [[noreturn]] void complain(const std::string& what, const std::filesystem::path& log) const;

    TempDir folder_;
    RackPlan plan_;
    std::unique_ptr<Process> modems_;
    std::unique_ptr<Process> service_;
};

}  // namespace smsrack::test
