// What does the network cost? The same calls on the socket and through smsrack-gate, over TLS, in one
// run; and the gate's memory.
#include "src/access/certificate.hpp"
#include "src/access/token.hpp"
#include "tools/bench/questions.hpp"
#include "tools/bench/tls_client.hpp"
#include "tools/rig/free_port.hpp"
#include "tools/rig/process.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/spread.hpp"
#include "tools/rig/usage.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using Clients = std::function<Result<TlsClient>()>;
using Requests = std::function<std::string(std::size_t client, std::size_t serial)>;

constexpr unsigned usual_gate_seconds = 10;
constexpr std::size_t gate_clients = 8;
constexpr double most_us_more = 60;
constexpr double least_gets = 20'000;
constexpr double least_share = 0.8;
constexpr double most_mebibytes = 8;
constexpr double most_mebibytes_of_service = 1;
constexpr std::size_t calls_to_warm = 200;
constexpr std::chrono::seconds settle{3};  // what a load allocates and gives back

/// A rack, and a gate with a certificate and a token for it.
struct GateRun {
    std::unique_ptr<rig::Rack> rack = {};
    std::unique_ptr<rig::Process> gate = {};
    std::uint16_t port = 0;
    std::filesystem::path certificate = {};
    std::string token = {};

    [[nodiscard]] Clients over_tls() const {
        return [this] { return TlsClient::over_tls(port, certificate); };
    }
    [[nodiscard]] Clients over_socket() const {
        return [this] { return TlsClient::over_socket(rack->socket()); };
    }
};

Result<> write_files(const std::filesystem::path& folder, GateRun& run) {
    const auto now =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto made = access::self_signed({"localhost"}, now);
    if (!made) {
        return std::unexpected(made.error());
    }
    std::array<std::byte, 32> chance{};
    std::random_device device;
    std::ranges::generate(chance, [&] { return static_cast<std::byte>(device()); });
    run.token = access::token_text(chance);
    run.certificate = folder / "tls.pem";
    std::ofstream(run.certificate) << made->certificate;
    std::ofstream(folder / "tls.key") << made->key;
    std::ofstream(folder / "tokens")
        << access::text_of_tokens({{.name = "bench",
                                    .role = access::Role::read,
                                    .hash = access::token_hash(run.token),
                                    .made = now}});
    return {};
}

double mebibytes(std::uint64_t octets) {
    return static_cast<double>(octets) / (1024.0 * 1024.0);
}

/// The service; its gate is started later.
Result<GateRun> start_rack(const Context& context) {
    GateRun run{.port = rig::free_port()};
    if (auto written = write_files(context.folder, run); !written) {
        return std::unexpected(std::move(written.error()));
    }
    const std::string http = fmt::format(
        "[http]\nlisten = \"127.0.0.1:{}\"\ntls_cert = \"{}\"\ntls_key = \"{}\"\ntokens = \"{}\"\n",
        run.port, run.certificate.string(), (context.folder / "tls.key").string(),
        (context.folder / "tokens").string());
    auto rack = rig::Rack::open(
        context.folder / "rack",
        {.sim_options = {"--service-ms", "0", "--baud", "115200", "--report-ms", "-1"},
         .config = "[queue]\ncapacity = 10_000_000\n[priority]\nprotect = false\n" + http},
        context.interrupt);
    if (!rack) {
        return std::unexpected(std::move(rack.error()));
    }
    run.rack = *std::move(rack);
    if (auto started = run.rack->start_service(); !started) {
        return std::unexpected(std::move(started.error()));
    }
    return run;
}

Result<> start_gate(const Context& context, GateRun& run) {
    const auto program = rig::program("smsrack-gate");
    if (!program) {
        return std::unexpected(program.error());
    }
    run.gate = std::make_unique<rig::Process>(
        rig::Command{.words = {*program, "--config", context.folder / "rack" / "smsrack.toml"},
                     .output = context.folder / "gate.log"});
    for (int i = 0; i < 100; ++i) {
        if (TlsClient::over_tls(run.port, run.certificate)) {
            return {};
        }
        if (context.interrupt.rest(std::chrono::milliseconds(50)) || !run.gate->running()) {
            break;
        }
    }
    return fail(Errc::timeout, "smsrack-gate does not listen");
}

std::string head_of(const GateRun& run, std::string_view method, std::string_view target) {
    return fmt::format("{} {} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\n", method, target,
                       run.token);
}

/// gate_clients that have asked some calls, and stay.
Result<std::vector<TlsClient>> warm_clients(const Clients& clients, const std::string& request) {
    std::vector<TlsClient> open;
    while (open.size() < gate_clients) {
        auto client = clients();
        for (std::size_t i = 0; client && i < calls_to_warm; ++i) {
            if (auto reply = client->call(request); !reply || reply->status != 200) {
                return fail(Errc::protocol, "a call was refused");
            }
        }
        if (!client) {
            return std::unexpected(std::move(client.error()));
        }
        open.push_back(*std::move(client));
    }
    return open;
}

/// Starts the gate, and says what its clients make the service take more than the same calls on the
/// socket.
Result<> ask_service_memory(const Context& context, GateRun& run, const std::string& get,
                            Report& report) {
    if (const auto direct = warm_clients(run.over_socket(), get); !direct) {
        return std::unexpected(direct.error());
    }
    if (context.interrupt.rest(settle)) {
        return rig::called_off();
    }
    const auto alone = rig::memory_of(run.rack->service_pid());
    if (auto started = start_gate(context, run); !started) {
        return started;
    }
    const auto through = warm_clients(run.over_tls(), get);
    if (!through) {
        return std::unexpected(through.error());
    }
    if (context.interrupt.rest(settle)) {
        return rig::called_off();
    }
    const auto with = rig::memory_of(run.rack->service_pid());
    if (!alone || !with) {
        return std::unexpected(alone ? with.error() : alone.error());
    }
    report.figures.push_back({.name = "service, private and dirty, more with 8 clients of the gate",
                              .value = mebibytes(with->dirty) - mebibytes(alone->dirty),
                              .unit = "MiB",
                              .decimals = 2,
                              .goal = at_most(most_mebibytes_of_service)});
    return {};
}

/// Microseconds of each of `count` calls, one after the other.
Result<std::vector<double>> times_of(const Clients& clients, const std::string& request,
                                     std::size_t count) {
    auto client = clients();
    if (!client) {
        return std::unexpected(std::move(client.error()));
    }
    std::vector<double> times;
    times.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto begun = std::chrono::steady_clock::now();
        const auto reply = client->call(request);
        if (!reply || reply->status != 200) {
            return fail(Errc::protocol, "a call was refused");
        }
        times.push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begun)
                .count());
    }
    return times;
}

struct Rate {
    std::size_t good = 0;
    std::size_t bad = 0;
};

/// gate_clients connections that ask one call after the other, for so long: calls a second.
Result<double> rate_of(const Clients& clients, const Requests& requests,
                       std::chrono::seconds lasting) {
    std::vector<Rate> rates(gate_clients);
    {
        std::vector<std::jthread> threads;
        for (std::size_t number = 0; number < gate_clients; ++number) {
            threads.emplace_back([&, number] {
                const auto end = std::chrono::steady_clock::now() + lasting;
                auto client = clients();
                for (std::size_t serial = 0; client && std::chrono::steady_clock::now() < end;
                     ++serial) {
                    const auto reply = client->call(requests(number, serial));
                    const bool good = reply && (reply->status == 200 || reply->status == 202);
                    ++(good ? rates[number].good : rates[number].bad);
                    if (!reply) {
                        return;
                    }
                }
            });
        }
    }
    Rate all;
    for (const Rate& rate : rates) {
        all.good += rate.good;
        all.bad += rate.bad;
    }
    if (all.bad > 0 || all.good == 0) {
        return fail(Errc::protocol, fmt::format("{} calls were refused", all.bad));
    }
    return static_cast<double>(all.good) / static_cast<double>(lasting.count());
}

Result<> ask_cost(const GateRun& run, const std::string& get, Report& report) {
    constexpr std::size_t calls = 20'000;
    const auto direct = times_of(run.over_socket(), get, calls);
    const auto through = times_of(run.over_tls(), get, calls);
    if (!direct || !through) {
        return std::unexpected(direct ? through.error() : direct.error());
    }
    const auto socket = rig::spread_of(*direct);
    const auto gate = rig::spread_of(*through);
    report.figures.push_back(
        {.name = "GET on the socket, median", .value = socket.p50, .unit = "us"});
    report.figures.push_back({.name = "through the gate, more",
                              .value = gate.p50 - socket.p50,
                              .unit = "us",
                              .goal = at_most(most_us_more)});
    report.figures.push_back({.name = "through the gate, p99", .value = gate.p99, .unit = "us"});
    return {};
}

/// How the same requests come to the service.
struct Way {
    Clients clients = {};
    Requests requests = {};
};

/// Of each way, calls a second. The ways take turns: what grows meanwhile, such as the database, is
/// in the figures of all.
Result<std::vector<double>> rates_of(const std::vector<Way>& ways, std::chrono::seconds lasting) {
    constexpr int rounds = 5;
    const auto turn = std::max(std::chrono::seconds(1), lasting / rounds);
    std::vector<double> rates(ways.size(), 0);
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const auto rate = rate_of(ways[i].clients, ways[i].requests, turn);
            if (!rate) {
                return std::unexpected(rate.error());
            }
            rates[i] += *rate / rounds;
        }
    }
    return rates;
}

void add_rate(Report& report, std::string name, double value, Goal goal = {}) {
    report.figures.push_back({.name = std::move(name) + ", 8 connections",
                              .value = value,
                              .unit = "/s",
                              .decimals = 0,
                              .goal = goal});
}

void add_share(Report& report, std::string name, double value, Goal goal = {}) {
    report.figures.push_back(
        {.name = std::move(name), .value = value, .decimals = 2, .goal = goal});
}

Result<> ask_gets(const GateRun& run, const std::string& get, std::chrono::seconds lasting,
                  Report& report) {
    const Requests requests = [&](std::size_t, std::size_t) { return get; };
    const auto rates = rates_of({{.clients = run.over_socket(), .requests = requests},
                                 {.clients = run.over_tls(), .requests = requests}},
                                lasting);
    if (!rates) {
        return std::unexpected(rates.error());
    }
    add_rate(report, "GET on the socket", rates->at(0));
    add_rate(report, "GET over TLS", rates->at(1), at_least(least_gets));
    add_share(report, "GET over TLS, of the socket's rate", rates->at(1) / rates->at(0));
    return {};
}

Result<> ask_posts(const GateRun& run, std::chrono::seconds lasting, Report& report) {
    std::atomic<std::uint64_t> number = 0;
    const std::string head = head_of(run, "POST", "/v1/messages");
    const auto post = [&](bool has_ref) {
        return [&, has_ref](std::size_t /*client*/, std::size_t /*serial*/) {
            const std::uint64_t own = ++number;
            const std::string body = fmt::format(
                R"({{"to":"+336{:08}","text":"Your code is 482913. Do not tell anyone."}})",
                own % 100'000'000);
            return fmt::format("{}{}Content-Length: {}\r\n\r\n{}", head,
                               has_ref ? fmt::format("Idempotency-Key: bench-{:032}\r\n", own) : "",
                               body.size(), body);
        };
    };
    // The gate gives each message a ref, so that it may repeat the call; the store keeps it.
    const auto rates = rates_of({{.clients = run.over_socket(), .requests = post(false)},
                                 {.clients = run.over_socket(), .requests = post(true)},
                                 {.clients = run.over_tls(), .requests = post(false)}},
                                lasting);
    if (!rates) {
        return std::unexpected(rates.error());
    }
    add_rate(report, "POST on the socket", rates->at(0));
    add_rate(report, "POST with a ref on the socket", rates->at(1));
    add_rate(report, "POST over TLS", rates->at(2));
    add_share(report, "POST over TLS, of the socket's rate", rates->at(2) / rates->at(0),
              at_least(least_share));
    add_share(report, "POST over TLS, of the rate with a ref", rates->at(2) / rates->at(1));
    return {};
}

Result<std::string> message_to_ask_for(const GateRun& run) {
    auto client = TlsClient::over_socket(run.rack->socket());
    if (!client) {
        return std::unexpected(std::move(client.error()));
    }
    const std::string body = R"({"to":"+33600000001","text":"one"})";
    const auto sent = client->call(
        fmt::format("POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{}",
                    body.size(), body));
    const auto json = sent ? wire::parse_json(sent->body) : std::unexpected(sent.error());
    if (!json || !json->contains("id")) {
        return fail(Errc::protocol, "a message was not accepted");
    }
    return json->at("id").get<std::string>();
}

}  // namespace

Result<Report> gate(const Context& context) {
    Report report{
        .question = "gate",
        .conditions = {"GET /v1/messages/{id} and POST /v1/messages, each on the socket "
                       "and over TLS 1.3 through smsrack-gate, in turns",
                       "closed loop: a client asks when it has its answer; clients, gate, "
                       "service and modems share the cores"}};
    auto run = start_rack(context);
    if (!run) {
        return std::unexpected(std::move(run.error()));
    }
    const auto id = message_to_ask_for(*run);
    if (!id) {
        return std::unexpected(id.error());
    }
    const std::string get = head_of(*run, "GET", "/v1/messages/" + *id) + "\r\n";
    if (auto asked = ask_service_memory(context, *run, get, report); !asked) {
        return std::unexpected(std::move(asked.error()));
    }
    if (auto asked = ask_cost(*run, get, report); !asked) {
        return std::unexpected(std::move(asked.error()));
    }
    const std::chrono::seconds lasting(context.options.seconds.value_or(usual_gate_seconds));
    if (auto asked = ask_gets(*run, get, lasting, report); !asked) {
        return std::unexpected(std::move(asked.error()));
    }
    if (auto asked = ask_posts(*run, lasting, report); !asked) {
        return std::unexpected(std::move(asked.error()));
    }
    const auto clients = warm_clients(run->over_tls(), get);
    if (!clients) {
        return std::unexpected(clients.error());
    }
    const auto memory = rig::memory_of(run->gate->pid());
    if (!memory) {
        return std::unexpected(memory.error());
    }
    report.figures.push_back({.name = "gate, PSS with 8 clients",
                              .value = mebibytes(memory->pss),
                              .unit = "MiB",
                              .goal = at_most(most_mebibytes)});
    return report;
}

}  // namespace smsrack::bench
