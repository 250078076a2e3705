// `smsrack cluster power`: what smsrack-wake@.service runs for each order of the service. It reads the order from its input, runs the
// program of [cluster] wake, and answers in one line.
#include "src/cluster/power_line.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/program_runner.hpp"
#include "tools/smsrack/rack/config_command.hpp"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace smsrack::cli {
namespace {

struct PowerOptions {
    std::string config = usual_config;
};

// The service writes it at once.
constexpr int order_comes_within_ms = 5'000;

/// Without its end; nullopt: none came, or it is too long.
std::optional<std::string> line_of_input() {
    std::string text;
    while (text.size() < cluster::power_line_max) {
        pollfd ready{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
        if (::poll(&ready, 1, order_comes_within_ms) <= 0) {
            return std::nullopt;
        }
        std::array<char, cluster::power_line_max> piece{};
        const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return std::nullopt;
        }
        text.append(piece.data(), static_cast<std::size_t>(count));
        if (const std::size_t end = text.find('\n'); end != std::string::npos) {
            text.resize(end);
            return text;
        }
    }
    return std::nullopt;
}

cluster::PowerEnd run_program(const std::string& program, const cluster::PowerLine& order) {
    RealPrograms programs(ports::box_power_within);
    const auto ended = programs.run(
        {program, std::string(ports::power_order_names.at(static_cast<std::size_t>(order.what))),
         order.box},
        {});
    if (!ended) {
        return {.words = ended.error().context};
    }
    std::cerr << ended->out << ended->err;  // into the journal
    return {.code = ended->code, .words = last_line(ended->err.empty() ? ended->out : ended->err)};
}

Outcome<> answer(const cluster::PowerEnd& end, Context& context) {
    context.console.write_as_is(cluster::line_of(end));
    return end.code == 0 ? ExitCode::done : ExitCode::failed;
}

/// Its answer goes to the service, whatever is wrong.
Outcome<> carry_out(const PowerOptions& options, Context& context) {
    const auto line = line_of_input();
    const auto order = line ? cluster::read_order(*line) : std::nullopt;
    if (!order) {
        return answer({.words = "it got no order such as \"wake NAME\""}, context);
    }
    const auto settings = load_config(options.config, context);
    if (!settings) {
        return answer({.words = options.config + " has a fault: `smsrack config check` says which"},
                      context);
    }
    if (!settings->cluster || settings->cluster->wake.empty()) {
        return answer({.words = options.config + " names no program: [cluster] wake"}, context);
    }
    return answer(run_program(settings->cluster->wake, *order), context);
}

}  // namespace

void declare_cluster_power(const CommandGroup& cluster) {
    const auto command =
        cluster.command({"power", "carry out one order of smsrack-wake.socket", {}}, carry_out);
    command.app.group("");  // not in the help: a unit runs it
    command.app.add_option("--config", command.options.config, "configuration with [cluster]")
        ->capture_default_str();
}

}  // namespace smsrack::cli
