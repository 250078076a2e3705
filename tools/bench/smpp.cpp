// How fast and late are submits and receipts over SMPP, and what does a session take? Submits are durable: each is
// answered after its commit, while eight modems send.
#include "src/access/certificate.hpp"
#include "src/access/password.hpp"
#include "tools/bench/questions.hpp"
#include "tools/bench/smpp_load.hpp"
#include "tools/bench/tls_client.hpp"
#include "tools/rig/esme.hpp"
#include "tools/rig/free_port.hpp"
#include "tools/rig/process.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"
#include "tools/rig/usage.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <poll.h>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr unsigned usual_smpp_seconds = 10;
constexpr const char* password = "secret12";

struct SmppRun {
    std::unique_ptr<rig::Rack> rack = {};
    std::unique_ptr<rig::Process> gate = {};
    std::uint16_t port = 0;
    std::uint16_t tls_port = 0;
    std::filesystem::path certificate = {};
};

Result<rig::Esme> bound(std::uint16_t port, const std::string& name) {
    for (int i = 0; i < 100; ++i) {
        try {
            rig::Esme esme(port);
            if (esme.bind(name, password) == smpp::Status::ok) {
                return esme;
            }
            break;
        } catch (const std::exception&) {
            ::poll(nullptr, 0, 50);  // it does not listen yet
        }
    }
    return fail(Errc::protocol, "the gate refuses a bind");
}

Result<SmppRun> start(const Context& context, const std::vector<std::string>& sim_options) {
    SmppRun run{.port = rig::free_port(),
                .tls_port = rig::free_port(),
                .certificate = context.folder / "tls.pem"};
    const auto made = access::self_signed(
        {"localhost"},
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
    if (!made) {
        return std::unexpected(made.error());
    }
    const auto key = context.folder / "tls.key";
    std::ofstream(run.certificate) << made->certificate;
    std::ofstream(key) << made->key;
    const auto accounts = context.folder / "accounts";
    const auto hash = access::password_hash(password);
    const auto program = rig::program("smsrack-gate");
    if (!hash || !program) {
        return std::unexpected(hash ? program.error() : hash.error());
    }
    std::ofstream(accounts) << "bench " << *hash << " sessions=1000 window=1000\n";
    std::filesystem::permissions(
        accounts, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    auto rack = rig::Rack::open(
        context.folder / "rack",
        {.sim_options = sim_options,
         .config = fmt::format(
             "[queue]\ncapacity = 10_000_000\n[priority]\nprotect = false\n"
             "[clients]\nbuffered_max = 10_000_000\n"
             "[smpp]\nlisten = \"127.0.0.1:{}\"\naccounts = \"{}\"\n"
             "listen_tls = \"127.0.0.1:{}\"\ntls_cert = \"{}\"\ntls_key = \"{}\"\n",
             run.port, accounts.string(), run.tls_port, run.certificate.string(), key.string())},
        context.interrupt);
    if (!rack) {
        return std::unexpected(std::move(rack.error()));
    }
    run.rack = *std::move(rack);
    if (auto started = run.rack->start_service(); !started) {
        return std::unexpected(std::move(started.error()));
    }
    run.gate = std::make_unique<rig::Process>(
        rig::Command{.words = {*program, "--config", context.folder / "rack" / "smsrack.toml"},
                     .output = context.folder / "gate.log"});
    return run;
}

Result<> ask_rate(const Context& context, const SmppRun& run, const Load& how, Goal rate,
                  Goal answer_time, Report& report) {
    const std::chrono::seconds lasting(context.options.seconds.value_or(usual_smpp_seconds));
    std::vector<LoadSession> sessions;
    while (sessions.size() < how.sessions) {
        auto esme = bound(run.port, "bench");
        if (!esme) {
            return std::unexpected(std::move(esme.error()));
        }
        sessions.push_back({.esme = *std::move(esme)});
    }
    const auto answered = load(context, sessions, how, lasting);
    if (!answered) {
        return std::unexpected(answered.error());
    }
    if (answered->bad > 0) {
        return fail(Errc::protocol, fmt::format("{} submits were refused", answered->bad));
    }
    const std::string who =
        fmt::format("{} session{}, window {}{}", how.sessions, how.sessions == 1 ? "" : "s",
                    how.window, how.pace == 0 ? "" : fmt::format(", paced {:.0f}/s", how.pace));
    report.figures.push_back(
        {.name = "submits, " + who,
         .value = static_cast<double>(answered->good) / static_cast<double>(lasting.count()),
         .unit = "/s",
         .decimals = 0,
         .goal = rate});
    report.figures.push_back({.name = "until the answer, p99, " + who,
                              .value = rig::spread_of(answered->ms).p99,
                              .unit = "ms",
                              .decimals = 1,
                              .goal = answer_time});
    return {};
}

Result<TlsClient> bound_over_tls(const SmppRun& run) {
    auto client = TlsClient::over_tls(run.tls_port, run.certificate);
    if (!client) {
        return client;
    }
    const std::string bind =
        smpp::encode({.header = {.command = smpp::Command::bind_transceiver, .sequence = 1},
                      .body = smpp::Bind{.system_id = "bench", .password = password}});
    if (auto written = client->write(bind); !written) {
        return std::unexpected(std::move(written.error()));
    }
    smpp::Frames frames;
    while (true) {
        const auto octets = client->read();
        if (!octets) {
            return std::unexpected(octets.error());
        }
        frames.add(*octets);
        const auto frame = frames.next();
        if (frame && !*frame) {
            continue;
        }
        if (!frame || smpp::header_of(**frame).status != smpp::Status::ok) {
            return fail(Errc::protocol, "the gate refuses a bind");
        }
        return client;
    }
}

/// `open` makes one more session.
Result<> ask_memory(const Context& context, const SmppRun& run, std::string_view of, Goal goal,
                    const auto& open, Report& report) {
    constexpr std::size_t idle_sessions = 900;
    constexpr std::chrono::seconds settle{2};
    const auto before = rig::memory_of(run.gate->pid());
    std::vector<typename decltype(open())::value_type> idle;
    while (idle.size() < idle_sessions) {
        auto session = open();
        if (!session) {
            return std::unexpected(std::move(session.error()));
        }
        idle.push_back(*std::move(session));
    }
    if (context.interrupt.rest(settle)) {
        return rig::called_off();
    }
    const auto with = rig::memory_of(run.gate->pid());
    if (!before || !with) {
        return std::unexpected(before ? with.error() : before.error());
    }
    report.figures.push_back(
        {.name = fmt::format("gate, of each of {} idle sessions{}", idle_sessions, of),
         .value = (static_cast<double>(with->dirty) - static_cast<double>(before->dirty)) / 1024.0 /
                  static_cast<double>(idle_sessions),
         .unit = "KiB",
         .decimals = 1,
         .goal = goal});
    return {};
}

/// From the report at the modem to the deliver_sm, one message after the other.
Result<> ask_receipts(const Context& context, const SmppRun& run, Report& report) {
    constexpr std::size_t count = 200;
    constexpr double most_ms = 20;
    auto esme = bound(run.port, "bench");
    if (!esme) {
        return std::unexpected(std::move(esme.error()));
    }
    std::map<std::string, SteadyTime> told;  // by number
    for (std::size_t i = 0; i < count; ++i) {
        (void)esme->send(smpp::Command::submit_sm, numbered_message(i, 1));
        while (told.size() == i) {
            const auto pdu = esme->read(std::chrono::seconds(10));
            if (!pdu || context.interrupt.rest(milliseconds(0))) {
                return fail(Errc::timeout, "a receipt did not come");
            }
            if (pdu->header.command == smpp::Command::deliver_sm) {
                told['+' + std::get<smpp::Message>(pdu->body).source.text] = steady_clock::now();
                esme->answer(pdu->header);
            }
        }
    }
    const auto log = rig::read_sim_log(run.rack->sim_log());
    if (!log) {
        return std::unexpected(log.error());
    }
    std::vector<double> ms;
    for (const rig::SimReport& one : log->reports) {
        if (const auto at = told.find(one.to); at != told.end()) {
            ms.push_back(std::chrono::duration<double, std::milli>(at->second - one.at).count());
        }
    }
    if (ms.size() != count) {
        return fail(Errc::protocol, fmt::format("{} reports of {} messages", ms.size(), count));
    }
    const auto spread = rig::spread_of(std::move(ms));
    report.figures.push_back({.name = "report at the modem to deliver_sm, median",
                              .value = spread.p50,
                              .unit = "ms",
                              .decimals = 1});
    report.figures.push_back({.name = "report at the modem to deliver_sm, p99",
                              .value = spread.p99,
                              .unit = "ms",
                              .decimals = 1,
                              .goal = at_most(most_ms)});
    return {};
}

}  // namespace

Result<Report> smpp(const Context& context) {
    constexpr double least_many = 12'000;
    constexpr double least_ten = 4'000;
    constexpr double least_one = 1'500;
    constexpr double most_ms = 25;
    Report report;
    {
        const auto quiet =
            start(context, {"--service-ms", "50", "--service-dist", "fixed", "--report-ms", "50"});
        if (!quiet) {
            return std::unexpected(quiet.error());
        }
        if (auto asked = ask_receipts(context, *quiet, report); !asked) {
            return std::unexpected(std::move(asked.error()));
        }
        constexpr double most_kibibytes = 16;
        if (auto asked = ask_memory(
                context, *quiet, "", at_most(most_kibibytes),
                [&] { return bound(quiet->port, "bench"); }, report);
            !asked) {
            return std::unexpected(std::move(asked.error()));
        }
        if (auto asked = ask_memory(
                context, *quiet, " over TLS", Goal{}, [&] { return bound_over_tls(*quiet); },
                report);
            !asked) {
            return std::unexpected(std::move(asked.error()));
        }
    }
    std::filesystem::remove_all(context.folder / "rack");
    const auto busy = start(context, {"--service-ms", "2500", "--report-ms", "-1"});
    if (!busy) {
        return std::unexpected(busy.error());
    }
    struct Step {
        Load how;
        Goal rate;
        Goal answer_time = {};
    };
    constexpr double nearly_all = 0.99;  // the last ones are answered behind the time
    const std::array steps{Step{{.sessions = 10, .window = 50, .pace = least_many},
                                at_least(nearly_all * least_many),
                                at_most(most_ms)},
                           Step{{.sessions = 10, .window = 50}, at_least(least_many)},
                           Step{{.sessions = 1, .window = 10}, at_least(least_ten)},
                           Step{{.sessions = 1, .window = 1}, at_least(least_one)}};
    for (const auto& [how, rate, answer_time] : steps) {
        if (auto asked = ask_rate(context, *busy, how, rate, answer_time, report); !asked) {
            return std::unexpected(std::move(asked.error()));
        }
    }
    return report;
}

}  // namespace smsrack::bench
