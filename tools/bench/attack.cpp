// Can an ordinary account hurt the rack? All that it can do, at once, while an administrator and
// another account keep working: they must be answered within a second, and what was accepted must
// be sent.
#include "tools/bench/attackers.hpp"
#include "tools/bench/questions.hpp"
#include "tools/client/http_client.hpp"
#include "tools/rig/process.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"
#include "tools/rig/truth.hpp"
#include "tools/rig/usage.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr double bound_ms = 1'000;
constexpr double bound_memory_mib = 64;
constexpr double bound_log_mib = 1;
constexpr unsigned usual_seconds = 60;
constexpr auto full_disk = 3s;  // in the middle
constexpr auto end_within = 120s;
constexpr uid_t attacker = 64'001;  // accounts that no system has
constexpr uid_t victim = 64'002;
constexpr double mib = 1024.0 * 1024.0;

/// The administrator: each call on a connection of its own, as from a shell.
struct Administrator {
    std::vector<double> latency_ms = {};
    std::size_t failed = 0;

    void call(const std::string& socket) {
        const auto begun = steady_clock::now();
        const auto reply = client::HttpClient(socket, {}).call({.target = "/v1/status"});
        latency_ms.push_back(
            std::chrono::duration<double, std::milli>(steady_clock::now() - begun).count());
        failed += reply && reply->ok() ? 0 : 1;
    }
};

struct VictimTold {
    std::vector<rig::ToldMessage> accepted = {};
    std::vector<double> latency_ms = {};
    std::size_t refused = 0;  ///< 507: the disk was full
    std::size_t failed = 0;   ///< whatever else
};

VictimTold read_victim(const std::filesystem::path& file) {
    VictimTold told;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        int status = 0;
        double ms = 0;
        rig::ToldMessage message;
        if (!(words >> status >> message.id >> message.to >> ms)) {
            continue;
        }
        told.latency_ms.push_back(ms);
        if (status == 202) {
            told.accepted.push_back(std::move(message));
        } else {
            ++(status == 507 ? told.refused : told.failed);
        }
    }
    return told;
}

Result<std::unique_ptr<rig::Rack>> open_rack(const Context& context) {
    std::error_code error;
    // The other accounts pass through to the socket, and read nothing.
    for (const auto& folder : {context.folder.parent_path(), context.folder}) {
        std::filesystem::permissions(folder, std::filesystem::perms{0711}, error);
    }
    auto rack = rig::Rack::open(context.folder / "rack",
                                {.sim_options = {"--service-ms", "0", "--report-ms", "-1"},
                                 .config = "socket_mode = \"0666\"\n[queue]\nretry_base_s = 1\n"},
                                context.interrupt);
    if (!rack) {
        return rack;
    }
    std::filesystem::permissions(context.folder / "rack", std::filesystem::perms{0711}, error);
    std::filesystem::permissions((*rack)->state_dir(), std::filesystem::perms{0700}, error);
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    return rack;
}

std::unique_ptr<rig::Process> start_client(const Context& context, const rig::Rack& rack,
                                           const char* what, unsigned seconds, uid_t user) {
    const auto us = std::filesystem::read_symlink("/proc/self/exe");
    rig::Command command{.words = {us.string(), what, rack.socket().string(),
                                   rack.state_dir().string(), std::to_string(seconds)},
                         .output = context.folder / (std::string(what) + ".txt")};
    if (geteuid() == 0) {
        command.user = user;
    }
    return std::make_unique<rig::Process>(command);
}

/// What connects meanwhile is the attacker, where there are two accounts.
class AsAttacker {
public:
    AsAttacker() : is_root_(geteuid() == 0 && seteuid(attacker) == 0) {}
    AsAttacker(const AsAttacker&) = delete;
    AsAttacker& operator=(const AsAttacker&) = delete;
    ~AsAttacker() {
        if (is_root_) {
            (void)!seteuid(0);
        }
    }

private:
    const bool is_root_;
};

/// A thousand messages of the attacker that were sent, so that its lists are long; then at rest.
Result<> fill(const rig::Rack& rack) {
    std::string lines;
    for (int i = 0; i < 1'000; ++i) {
        lines +=
            fmt::format(R"({{"to":"+3361{:07}","text":"{}"}})", i, std::string(150, 'x')) + "\n";
    }
    const AsAttacker they;
    const auto reply = client::HttpClient(rack.socket().string(), {})
                           .call({.method = "POST",
                                  .target = "/v1/messages",
                                  .headers = {{"Content-Type", "application/x-ndjson"}},
                                  .body = lines});
    return reply ? Result<>{} : std::unexpected(reply.error());
}

std::size_t under_way(const rig::Rack& rack) {
    const auto status = rack.get("/v1/status");
    std::size_t count = status ? 0 : 1;
    for (const char* state : {"queued", "sending", "uncertain"}) {
        count += status ? status->at("messages").value(state, std::size_t{0}) : 0;
    }
    return count;
}

Result<> wait_until_sent(const Context& context, const rig::Rack& rack) {
    const auto deadline = steady_clock::now() + end_within;
    while (under_way(rack) > 0 && steady_clock::now() < deadline) {
        if (context.interrupt.rest(200ms)) {
            return rig::called_off();
        }
    }
    return {};
}

struct Run {
    Administrator administrator = {};
    double idle_mib = 0;
    double most_mib = 0;
    double longest_full_ms = 0;  ///< the administrator's, while the disk was full
};

Result<Run> attack_rack(const Context& context, rig::Rack& rack, unsigned seconds) {
    Run run;
    const auto resident = [&] {
        const auto memory = rig::memory_of(rack.service_pid());
        return memory ? static_cast<double>(memory->rss) / mib : 0;
    };
    run.idle_mib = resident();
    auto attackers = start_client(context, rack, "attack-clients", seconds, attacker);
    auto sender = start_client(context, rack, "attack-victim", seconds, victim);
    const auto begun = steady_clock::now();
    const auto until = begun + std::chrono::seconds(seconds);
    const auto full_from = begun + std::chrono::seconds(seconds) / 2;
    bool is_full = false;
    for (auto now = begun; now < until; now = steady_clock::now()) {
        if (const bool full = now >= full_from && now < full_from + full_disk; full != is_full) {
            rack.refuse_file_writes(full);
            is_full = full;
        }
        if (auto talks = rack.simulate({{"do", "garbage"}, {"modem", 7}, {"count", 4096}});
            !talks) {
            return std::unexpected(talks.error());
        }
        run.administrator.call(rack.socket().string());
        run.most_mib = std::max(run.most_mib, resident());
        if (context.interrupt.rest(20ms)) {
            return rig::called_off();
        }
    }
    rack.refuse_file_writes(false);
    (void)attackers->wait(10s);
    (void)sender->wait(10s);
    (void)rack.simulate({{"do", "calm"}});
    return run;
}

Result<rig::Truth> truth_of(const rig::Rack& rack, std::vector<rig::ToldMessage>& accepted) {
    for (rig::ToldMessage& message : accepted) {
        const auto now = rack.get("/v1/messages/" + message.id);
        if (!now) {
            return std::unexpected(now.error());
        }
        message.state = now->value("state", "");
        message.unknown = now->dump().contains("outcome_unknown");
    }
    const auto log = rig::read_sim_log(rack.sim_log());
    if (!log) {
        return std::unexpected(log.error());
    }
    std::map<std::string, unsigned> taken;
    for (const rig::SimSubmit& submit : log->submits) {
        ++taken[submit.to];
    }
    return rig::compare(accepted, taken);
}

std::string content_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string text;
    std::getline(in, text);
    return text;
}

}  // namespace

Result<Report> attack(const Context& context) {
    const unsigned seconds = context.options.seconds.value_or(usual_seconds);
    auto rack = open_rack(context);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto filled = fill(**rack); !filled) {
        return std::unexpected(filled.error());
    }
    if (auto sent = wait_until_sent(context, **rack); !sent) {
        return std::unexpected(sent.error());
    }
    auto run = attack_rack(context, **rack, seconds);
    if (!run) {
        return std::unexpected(run.error());
    }
    if (auto sent = wait_until_sent(context, **rack); !sent) {
        return std::unexpected(sent.error());
    }
    VictimTold told = read_victim(context.folder / "attack-victim.txt");
    const auto truth = truth_of(**rack, told.accepted);
    if (!truth) {
        return std::unexpected(truth.error());
    }
    std::error_code error;
    const double log_mib = static_cast<double>(std::filesystem::file_size(
                               context.folder / "rack" / "smsrackd.log", error)) /
                           mib;
    const bool two_accounts = geteuid() == 0;
    const auto promised = [&](Goal goal) { return two_accounts ? goal : Goal{}; };
    const auto root = rig::spread_of(run->administrator.latency_ms);
    const auto other = rig::spread_of(told.latency_ms);
    Report report{
        .question = "attack",
        .conditions = {
            fmt::format(
                "{} s; from {}: readers of pipelined lists and event streams that never "
                "read, 700 idle connections, bodies of an octet a second, askers who leave, "
                "locks on what can be opened",
                seconds, two_accounts ? "one account" : "our own account (not root)"),
            fmt::format(
                "a modem that talks nonsense, 4 KiB at a time; {} s of a full disk; the state "
                "folder as installed (0700)",
                full_disk.count())}};
    const auto add = [&](std::string name, double value, std::string unit, int decimals,
                         Goal goal = {}) {
        report.figures.push_back({.name = std::move(name),
                                  .value = value,
                                  .unit = std::move(unit),
                                  .decimals = decimals,
                                  .goal = goal});
    };
    add("administrator's call, median", root.p50, "ms", 1);
    add("administrator's call, longest", root.max, "ms", 1, promised(at_most(bound_ms)));
    add("administrator's calls that failed", static_cast<double>(run->administrator.failed), "", 0,
        promised(at_most(0)));
    add("another account's submit, median", other.p50, "ms", 1);
    add("another account's submit, longest", other.max, "ms", 1, promised(at_most(bound_ms)));
    add("another account's submits: accepted", static_cast<double>(told.accepted.size()), "", 0,
        promised(at_least(1)));
    add("refused while the disk was full", static_cast<double>(told.refused), "", 0);
    add("refused otherwise, or not answered", static_cast<double>(told.failed), "", 0,
        promised(at_most(0)));
    add("accepted and lost", static_cast<double>(truth->lost.size()), "", 0, at_most(0));
    add("sent twice", static_cast<double>(truth->twice.size()), "", 0, at_most(0));
    add("memory above idle, the most", run->most_mib - run->idle_mib, "MiB", 1,
        at_most(bound_memory_mib));
    add("log written", log_mib, "MiB", 2, at_most(bound_log_mib));
    report.notes.push_back("the attackers: " + content_of(context.folder / "attack-clients.txt"));
    if (!two_accounts) {
        report.notes.emplace_back(
            "run as root to attack from another account: one account is not protected from itself");
    }
    report.broken = !truth->lost.empty() || !truth->twice.empty();
    return report;
}

}  // namespace smsrack::bench
