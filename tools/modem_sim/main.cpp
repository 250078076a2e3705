/// smsrack-sim: options, then the rack until SIGINT, SIGTERM or "quit".
#include "src/base/result.hpp"
#include "tools/modem_sim/control.hpp"
#include "tools/modem_sim/control_commands.hpp"
#include "tools/modem_sim/json_log.hpp"
#include "tools/modem_sim/options.hpp"
#include "tools/modem_sim/poller.hpp"
#include "tools/modem_sim/rack.hpp"
#include "tools/modem_sim/scenario.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <system_error>
#include <utility>
#include <vector>

namespace smsrack::modem_sim {
namespace {

constexpr int exit_usage = 64;

void declare(CLI::App& app, Options& options) {
    app.add_option("--modems", options.modems, "how many")->check(CLI::Range(1, 256));
    app.add_option("--dir", options.dir, "where the links modem0.. are made")->required();
    app.add_option("--service-ms", options.service_ms, "mean time of a submit in the network")
        ->check(CLI::Range(0.0, 600'000.0))
        ->capture_default_str();
    const std::map<std::string, bool> distributions{{"fixed", false}, {"exp", true}};
    app.add_option("--service-dist", options.service_exponential, "fixed or exp")
        ->transform(CLI::CheckedTransformer(distributions));
    app.add_flag("--strict-baud", options.strict_baud,
                 "a host that set its port to another rate hears, and says, garbage");
    app.add_option("--baud", options.baud, "paces octets; 0: off")
        ->check(CLI::Range(0, 4'000'000))
        ->capture_default_str();
    app.add_option("--max-baud", options.max_baud, "highest rate of AT+IPR; 0: it is not known")
        ->check(CLI::Range(0, 921'600))
        ->capture_default_str();
    app.add_option("--own-ms", options.own_ms,
                   "a message to a number of the rack arrives there after this time; -1: never")
        ->check(CLI::Range(-1, 86'400'000))
        ->capture_default_str();
    app.add_option("--report-ms", options.report_ms, "status report after acceptance; -1: never")
        ->check(CLI::Range(-1, 86'400'000))
        ->capture_default_str();
    app.add_option("--report-fail", options.report_fail, "probability that it reports a failure")
        ->check(CLI::Range(0.0, 1.0));
    app.add_option("--inbound", options.inbound_rate, "messages per second to the rack, Poisson")
        ->check(CLI::Range(0.0, 10'000.0));
    app.add_option("--first", options.first,
                   "number of the first modem and its SIM: racks of one fleet have different ones")
        ->check(CLI::Range(0, 700))
        ->capture_default_str();
    app.add_option("--sim-places", options.sim_places, "messages that a SIM holds")
        ->check(CLI::Range(1, 255))
        ->capture_default_str();
    app.add_option("--faults", options.faults, "random faults, per hour of each modem")
        ->check(CLI::Range(0.0, 36'000.0));
    app.add_option("--fault-s", options.fault_s, "mean duration of lasting faults, in s")
        ->check(CLI::Range(1, 3600))
        ->capture_default_str();
    app.add_option("--scenario", options.scenario, "JSON Lines: orders and when they are due");
    app.add_option("--seed", options.seed, "seed of all random choices")->capture_default_str();
    app.add_option("--log", options.log, "JSON Lines of what happened");
    app.add_option("--control", options.control, "socket for faults and inbound messages");
    app.add_option("--abstract", options.abstract_prefix,
                   "each modem also on abstract socket PREFIX0..");
    app.add_option("--pin", options.pin, "the SIMs ask for this PIN");
    app.add_option("--boot-ms", options.boot_ms, "start of a modem, up to SMS ready")
        ->check(CLI::Range(0, 600'000))
        ->capture_default_str();
    app.add_flag("--cpin-ok", options.cpin_ok, "an OK after +CPIN: READY");
    app.add_flag("--cfun1-keeps", options.cfun1_keeps, "AT+CFUN=1 does not restart");
    app.add_option("--no-sr", options.no_sr,
                   "this many modems, from the first, have no memory SR: reports come directly")
        ->check(CLI::Range(0, 256));
    app.add_flag("--mem3", options.mem3, "+CPMS has three memories");
    app.add_flag("--no-wind16", options.no_wind16, "firmware without +WIND: 16");
}

int complain(const Error& error) {
    const std::string reason =
        error.detail == 0 ? std::string(errc_name(error.code))
                          : std::error_code(error.detail, std::generic_category()).message();
    fmt::print(stderr, "smsrack-sim: {}: {}\n", error.context, reason);
    return 1;
}

/// Two descriptors for a terminal, two for a socket: 256 modems need more than the usual 1024.
void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/// SIGINT and SIGTERM as an event of the poller.
class Signals final : public Ready {
public:
    Signals() {
        (void)std::signal(SIGPIPE, SIG_IGN);  // a client that left is no reason to end
        sigset_t set{};
        ::sigemptyset(&set);
        ::sigaddset(&set, SIGINT);
        ::sigaddset(&set, SIGTERM);
        (void)::pthread_sigmask(SIG_BLOCK, &set, nullptr);
        fd_ = Descriptor(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
    }
    void on_ready(std::uint32_t) override { came_ = true; }
    [[nodiscard]] int fd() const { return fd_.get(); }
    [[nodiscard]] bool came() const { return came_; }

private:
    Descriptor fd_;
    bool came_ = false;
};

Result<> run(const Options& options) {
    raise_descriptor_limit();
    std::error_code error;
    std::filesystem::create_directories(options.dir, error);
    if (error) {
        return fail(Errc::not_allowed, options.dir, error.value());
    }
    std::vector<ScenarioStep> scenario;
    if (!options.scenario.empty()) {
        auto read = read_scenario(options.scenario, options.modems);
        if (!read) {
            return std::unexpected(read.error());
        }
        scenario = std::move(*read);
    }
    auto poller = Poller::open();
    auto file = JsonLog::open_file(options.log);
    if (!poller || !file) {
        return std::unexpected(!poller ? poller.error() : file.error());
    }
    Signals signals;
    if (auto added = poller->add(signals.fd(), EPOLLIN, signals); !added) {
        return added;
    }
    const TimeBase start{
        .steady = std::chrono::steady_clock::now(),
        .wall = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())};
    JsonLog log(std::move(*file), start);
    log.start();
    auto rack = Rack::open(options, start, *poller, log);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    Control control(*poller, **rack);
    if (!options.control.empty()) {
        if (auto opened = control.open(options.control); !opened) {
            return opened;
        }
    }
    fmt::print("ready: {} modems in {}\n", (*rack)->size(), options.dir);
    (void)std::fflush(stdout);
    auto next = scenario.begin();
    while (!signals.came() && !control.quit()) {
        const SteadyTime now = std::chrono::steady_clock::now();
        for (; next != scenario.end() && start.steady + next->at <= now; ++next) {
            if (const auto done = run_order(**rack, now, next->order); !done) {
                (void)complain(done.error());  // the rest of the day may still be right
            }
        }
        const SteadyTime due = next == scenario.end() ? never : start.steady + next->at;
        poller->wait(std::min(due, (*rack)->step(now)));
    }
    return {};
}

}  // namespace
}  // namespace smsrack::modem_sim

int main(int argc, char** argv) {
    try {
        smsrack::modem_sim::Options options;
        CLI::App app("A rack of simulated WAVECOM modems on pseudo-terminals, for test rigs.",
                     "smsrack-sim");
        smsrack::modem_sim::declare(app, options);
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return app.exit(error) == 0 ? 0 : smsrack::modem_sim::exit_usage;
        }
        const auto ran = smsrack::modem_sim::run(options);
        return ran ? 0 : smsrack::modem_sim::complain(ran.error());
    } catch (const std::exception& error) {
        (void)std::fprintf(stderr, "smsrack-sim: %s\n", error.what());
        return 1;
    }
}
