/// Runs smsrack-sim and smsrackd in a folder of their own; both are in the folder of the calling
/// program.
///
/// Threads: one.
/// Errors:  not_found: a program is not in our folder; timeout, closed: something did not start,
///          its log says why; what HttpClient answers.
#pragma once

#include "src/base/result.hpp"
#include "src/wire/json.hpp"
#include "tools/client/unique_fd.hpp"
#include "tools/rig/interrupt.hpp"
#include "tools/rig/process.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::rig {

struct RackPlan {
    unsigned modems = 8;
    std::vector<std::string> sim_options = {};  ///< in addition to where things are
    std::string config = {};                    ///< TOML before the [[modem]] entries
};

/// The path of one of our programs.
[[nodiscard]] Result<std::filesystem::path> program(std::string_view name);

class Rack {
public:
    /// Starts the simulated modems, long switched on. `interrupt` outlives the rack.
    [[nodiscard]] static Result<std::unique_ptr<Rack>> open(std::filesystem::path folder,
                                                            RackPlan plan,
                                                            const Interrupt& interrupt);
    Rack(const Rack&) = delete;
    Rack& operator=(const Rack&) = delete;
    ~Rack();

    /// Until it is ready and every modem is active: how long that took.
    [[nodiscard]] Result<std::chrono::milliseconds> start_service();
    /// Until it answers, whatever the modems do.
    [[nodiscard]] Result<> launch_service();
    /// SIGKILL, as a crash or a loss of power; then launch_service().
    [[nodiscard]] Result<> kill_and_restart();
    /// Hands over to the same program, and returns its report. Any thread, while no other one has
    /// the service started or ended.
    [[nodiscard]] Result<wire::Json> upgrade();
    /// SIGTERM, and SIGKILL where that takes more than 30 s.
    void stop_service();

    /// The JSON of a call that must answer 200.
    [[nodiscard]] Result<wire::Json> get(const std::string& target) const;
    /// One order on the control socket of smsrack-sim; it must be taken.
    [[nodiscard]] Result<wire::Json> simulate(const wire::Json& order) const;

    [[nodiscard]] pid_t service_pid() const { return service_->pid(); }
    [[nodiscard]] pid_t modems_pid() const { return modems_->pid(); }
    [[nodiscard]] std::filesystem::path socket() const { return folder_ / "smsrack.sock"; }
    [[nodiscard]] std::filesystem::path state_dir() const { return folder_ / "state"; }
    /// As on a disk that is full, or it works again.
    void refuse_file_writes(bool refuse) const { service_->refuse_file_writes(refuse); }
    /// In memory: the network is not what is measured, and must not wait for the same disk.
    [[nodiscard]] std::filesystem::path sim_log() const;
    [[nodiscard]] std::vector<std::filesystem::path> ports() const;

private:
    Rack(std::filesystem::path folder, RackPlan plan, const Interrupt& interrupt);

    [[nodiscard]] Result<> write_config() const;
    [[nodiscard]] Result<> start_modems();
    [[nodiscard]] Result<> launch();
    [[nodiscard]] bool all_active() const;
    template <typename Condition>
    [[nodiscard]] Result<> wait_for(std::string_view what, Process& process,
                                    const Condition& condition) const;

    const std::filesystem::path folder_;
    const RackPlan plan_;
    const Interrupt& interrupt_;
    client::UniqueFd sim_log_;
    std::unique_ptr<Process> modems_;
    std::unique_ptr<Process> service_;
};

}  // namespace smsrack::rig
