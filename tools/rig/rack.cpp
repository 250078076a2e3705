#include "tools/rig/rack.hpp"

#include "tools/client/http_client.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::rig {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// Far above what a start takes, also with 256 modems on a machine that is busy.
constexpr auto start_within = 60s;
constexpr auto stop_within = 30s;
// A start takes some 100 ms, and each query costs time of the starting process.
constexpr auto look_again = 5ms;

/// The JSON of a call that must answer 200.
Result<wire::Json> answer_of(const std::filesystem::path& socket, const client::HttpCall& call) {
    client::HttpClient client(socket.string(), {.idle_timeout = start_within});
    const auto reply = client.call(call);
    if (!reply) {
        return std::unexpected(reply.error());
    }
    if (reply->status() != 200) {
        return fail(Errc::protocol, fmt::format("{} {}: status {}: {}", call.method, call.target,
                                                reply->status(), reply->body));
    }
    return wire::parse_json(reply->body);
}

}  // namespace

Result<std::filesystem::path> program(std::string_view name) {
    std::error_code error;
    const auto us = std::filesystem::read_symlink("/proc/self/exe", error);
    auto path = us.parent_path() / name;
    if (error || !std::filesystem::exists(path, error)) {
        return fail(Errc::not_found, path.string());
    }
    return path;
}

Rack::Rack(std::filesystem::path folder, RackPlan plan, const Interrupt& interrupt)
    : folder_(std::move(folder)),
      plan_(std::move(plan)),
      interrupt_(interrupt),
      sim_log_(memfd_create("smsrack-sim-log", MFD_CLOEXEC)) {}

Rack::~Rack() {
    stop_service();
    if (modems_) {
        modems_->signal(SIGTERM);
        (void)modems_->wait(5s);
    }
    // For a caller that keeps the folder.
    std::error_code ignored;
    std::filesystem::copy_file(sim_log(), folder_ / "submits.jsonl", ignored);
}

std::filesystem::path Rack::sim_log() const {
    return fmt::format("/proc/{}/fd/{}", getpid(), sim_log_.get());
}

Result<std::unique_ptr<Rack>> Rack::open(std::filesystem::path folder, RackPlan plan,
                                         const Interrupt& interrupt) {
    adopt_orphans();  // the service after an upgrade
    std::unique_ptr<Rack> rack(new Rack(std::move(folder), std::move(plan), interrupt));
    std::error_code error;
    std::filesystem::create_directories(rack->folder_ / "modems", error);
    std::filesystem::create_directories(rack->folder_ / "state", error);
    if (error || !rack->sim_log_) {
        return fail(Errc::not_allowed, rack->folder_.string(), error ? error.value() : errno);
    }
    if (auto written = rack->write_config(); !written) {
        return std::unexpected(written.error());
    }
    if (auto started = rack->start_modems(); !started) {
        return std::unexpected(started.error());
    }
    return rack;
}

Result<> Rack::write_config() const {
    std::ofstream out(folder_ / "smsrack.toml");
    out << fmt::format("[service]\nstate_dir = \"{}\"\nsocket = \"{}\"\n\n{}\n",
                       (folder_ / "state").string(), socket().string(), plan_.config);
    for (unsigned n = 0; n < plan_.modems; ++n) {
        out << fmt::format("[[modem]]\nname = \"m{}\"\nport = \"{}\"\n\n", n, ports()[n].string());
    }
    return out.good() ? Result<>{} : fail(Errc::storage, "smsrack.toml");
}

std::vector<std::filesystem::path> Rack::ports() const {
    std::vector<std::filesystem::path> all;
    for (unsigned n = 0; n < plan_.modems; ++n) {
        all.push_back(folder_ / "modems" / fmt::format("modem{}", n));
    }
    return all;
}

template <typename Condition>
Result<> Rack::wait_for(std::string_view what, Process& process, const Condition& condition) const {
    const auto deadline = steady_clock::now() + start_within;
    while (!condition()) {
        if (!process.running()) {
            return fail(Errc::closed,
                        fmt::format("{} ended: its log is in {} (--keep)", what, folder_.string()));
        }
        if (steady_clock::now() > deadline) {
            return fail(Errc::timeout,
                        fmt::format("{}: its log is in {} (--keep)", what, folder_.string()));
        }
        if (interrupt_.rest(look_again)) {
            return called_off();
        }
    }
    return {};
}

Result<> Rack::start_modems() {
    const auto path = program("smsrack-sim");
    // Asked for now, since it is needed when the modems have worked for a while.
    if (const auto later = program("smsrackd"); !path || !later) {
        return std::unexpected(path ? later.error() : path.error());
    }
    Command command{.words = {path->string(), "--modems", std::to_string(plan_.modems), "--dir",
                              (folder_ / "modems").string(), "--log", sim_log().string(),
                              "--control", (folder_ / "sim.sock").string()},
                    .output = folder_ / "smsrack-sim.log"};
    command.words.insert(command.words.end(), plan_.sim_options.begin(), plan_.sim_options.end());
    modems_ = std::make_unique<Process>(command);
    // The control socket is opened last.
    return wait_for("smsrack-sim", *modems_,
                    [&] { return std::filesystem::exists(folder_ / "sim.sock"); });
}

Result<> Rack::launch() {
    const auto path = program("smsrackd");
    if (!path) {
        return std::unexpected(path.error());
    }
    service_ = std::make_unique<Process>(
        Command{.words = {path->string(), "--config", (folder_ / "smsrack.toml").string()},
                .output = folder_ / "smsrackd.log"});
    return {};
}

Result<std::chrono::milliseconds> Rack::start_service() {
    const auto started = steady_clock::now();
    if (auto launched = launch(); !launched) {
        return std::unexpected(launched.error());
    }
    if (auto active = wait_for("smsrackd", *service_, [&] { return all_active(); }); !active) {
        return std::unexpected(active.error());
    }
    return std::chrono::ceil<std::chrono::milliseconds>(steady_clock::now() - started);
}

Result<> Rack::launch_service() {
    if (auto launched = launch(); !launched) {
        return launched;
    }
    return wait_for("smsrackd", *service_, [&] { return get("/v1/status").has_value(); });
}

Result<> Rack::kill_and_restart() {
    service_->signal(SIGKILL);
    (void)service_->wait(stop_within);
    return launch_service();
}

Result<wire::Json> Rack::upgrade() {
    const auto binary = program("smsrackd");
    if (!binary) {
        return std::unexpected(binary.error());
    }
    auto report = answer_of(socket(), {.method = "POST",
                                       .target = "/v1/upgrade",
                                       .headers = {{"Content-Type", "application/json"}},
                                       .body = wire::Json{{"binary", binary->string()}}.dump()});
    if (!report) {
        return report;
    }
    auto next = std::make_unique<Process>((*report)["pid"].get<pid_t>());
    if (!service_->wait(stop_within)) {
        return fail(Errc::timeout, "the old smsrackd did not end");
    }
    service_ = std::move(next);
    return report;
}

bool Rack::all_active() const {
    const auto answer = get("/v1/modems");
    if (!answer) {
        return false;
    }
    unsigned active = 0;
    for (const wire::Json& modem : answer->value("modems", wire::Json::array())) {
        active += modem.value("link", "") == "active" ? 1 : 0;
    }
    return active == plan_.modems;
}

void Rack::stop_service() {
    if (service_) {
        service_->signal(SIGTERM);
        (void)service_->wait(stop_within);
        service_.reset();
    }
}

Result<wire::Json> Rack::get(const std::string& target) const {
    return answer_of(socket(), {.target = target});
}

Result<wire::Json> Rack::simulate(const wire::Json& order) const {
    const auto control = client::connect_unix((folder_ / "sim.sock").string());
    if (!control) {
        return std::unexpected(control.error());
    }
    const std::string line = order.dump() + "\n";
    if (send(control->get(), line.data(), line.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(line.size())) {
        return fail(Errc::closed, "smsrack-sim", errno);
    }
    std::string answer;
    std::array<char, 4096> buffer;
    while (!answer.ends_with('\n')) {
        const auto size = recv(control->get(), buffer.data(), buffer.size(), 0);
        if (size <= 0) {
            return fail(Errc::closed, "smsrack-sim", errno);
        }
        answer.append(buffer.data(), static_cast<std::size_t>(size));
    }
    auto json = wire::parse_json(answer);
    if (!json || !json->value("ok", false)) {
        return fail(Errc::protocol, "smsrack-sim refuses: " + answer);
    }
    return json;
}

}  // namespace smsrack::rig
