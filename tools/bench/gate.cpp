// What does the network cost? The same calls on the socket and through smsrack-gate, over TLS, in one
// run; and the gate's memory.
#include "src/access/certificate.hpp"
#include "src/access/token.hpp"
#include "tools/bench/questions.hpp"
#include "tools/bench/tls_client.hpp"
#include "tools/rig/process.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/spread.hpp"
#include "tools/rig/usage.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <memory>
#include <netinet/in.h>
#include <random>
#include <string>
#include <sys/socket.h>
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

std::uint16_t free_loopback_port() {
    const client::UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        return 0;
    }
    return ntohs(address.sin_port);
}

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

Result<GateRun> start_gate(const Context& context) {
    GateRun run{.port = free_loopback_port()};
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
    const auto program = rig::program("smsrack-gate");
    const auto started = run.rack->start_service();
    if (!program || !started) {
        return std::unexpected(program ? started.error() : program.error());
    }
    run.gate = std::make_unique<rig::Process>(
        rig::Command{.words = {*program, "--config", context.folder / "rack" / "smsrack.toml"},
                     .output = context.folder / "gate.log"});
    for (int i = 0; i < 100; ++i) {
        if (TlsClient::over_tls(run.port, run.certificate)) {
            return run;
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

Result<> ask_rates(const GateRun& run, const std::string& name, const Requests& requests,
                   std::chrono::seconds lasting, Goal goal, Report& report) {
    const auto direct = rate_of(run.over_socket(), requests, lasting);
    const auto through = rate_of(run.over_tls(), requests, lasting);
    if (!direct || !through) {
        return std::unexpected(direct ? through.error() : direct.error());
    }
    const auto add = [&](const std::string& what, double value, const char* unit, int decimals,
                         Goal wanted = {}) {
        report.figures.push_back({.name = name + what,
                                  .value = value,
                                  .unit = unit,
                                  .decimals = decimals,
                                  .goal = wanted});
    };
    add(" on the socket, 8 connections", *direct, "/s", 0);
    add(" over TLS, 8 connections", *through, "/s", 0, goal);
    add(" over TLS, of the socket's rate", *through / *direct, "", 2,
        name == "POST" ? at_least(least_share) : Goal());
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
                       "and over TLS 1.3 through smsrack-gate, one after the other",
                       "closed loop: a client asks when it has its answer; clients, gate, "
                       "service and modems share the cores"}};
    auto run = start_gate(context);
    if (!run) {
        return std::unexpected(std::move(run.error()));
    }
    const auto id = message_to_ask_for(*run);
    if (!id) {
        return std::unexpected(id.error());
    }
    const std::string get = head_of(*run, "GET", "/v1/messages/" + *id) + "\r\n";
    if (auto asked = ask_cost(*run, get, report); !asked) {
        return std::unexpected(std::move(asked.error()));
    }
    const std::chrono::seconds lasting(context.options.seconds.value_or(usual_gate_seconds));
    const auto gets = ask_rates(
        *run, "GET", [&](std::size_t, std::size_t) { return get; }, lasting, at_least(least_gets),
        report);
    if (!gets) {
        return std::unexpected(gets.error());
    }
    const Requests posts = [head = head_of(*run, "POST", "/v1/messages")](std::size_t client,
                                                                          std::size_t serial) {
        const std::string body =
            fmt::format(R"({{"to":"+336{:08}","text":"Your code is 482913. Do not tell anyone."}})",
                        client * 10'000'000 + serial % 10'000'000);
        return fmt::format("{}Content-Length: {}\r\n\r\n{}", head, body.size(), body);
    };
    if (auto posted = ask_rates(*run, "POST", posts, lasting, {}, report); !posted) {
        return std::unexpected(std::move(posted.error()));
    }
    // The gate gives each message a ref, so that it may repeat the call; the store keeps it.
    const Requests with_ref = [&posts](std::size_t client, std::size_t serial) {
        std::string request = posts(client, serial);
        return request.insert(request.find("\r\n") + 2,
                              fmt::format("Idempotency-Key: bench-{}-{}\r\n", client, serial));
    };
    const auto refs = rate_of(run->over_socket(), with_ref, lasting);
    if (!refs) {
        return std::unexpected(refs.error());
    }
    report.figures.push_back({.name = "POST with a ref on the socket, 8 connections",
                              .value = *refs,
                              .unit = "/s",
                              .decimals = 0});
    std::vector<TlsClient> clients;
    while (clients.size() < gate_clients) {
        auto client = TlsClient::over_tls(run->port, run->certificate);
        if (!client || !client->call(get)) {
            return fail(Errc::protocol, "a client of the gate was refused");
        }
        clients.push_back(*std::move(client));
    }
    const auto memory = rig::memory_of(run->gate->pid());
    if (!memory) {
        return std::unexpected(memory.error());
    }
    report.figures.push_back({.name = "gate, PSS with 8 clients",
                              .value = static_cast<double>(memory->pss) / (1024.0 * 1024.0),
                              .unit = "MiB",
                              .goal = at_most(most_mebibytes)});
    return report;
}

}  // namespace smsrack::bench
