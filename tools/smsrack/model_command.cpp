#include "tools/smsrack/model_command.hpp"

#include "src/model/mmc.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/table.hpp"

#include <fmt/format.h>
#include <vector>

namespace smsrack::cli {
namespace {

std::string four_digits(double value, const char* unit) {
    return fmt::format("{:.4f}{}", value, unit);
}

void show(const model::MmcFigures& figures, std::uint32_t servers, const ModelMmcOptions& options,
          Context& context) {
    if (context.json) {
        wire::Json answer{{"lambda", options.lambda}, {"mu", options.mu},
                          {"servers", servers},       {"rho", figures.rho},
                          {"p0", figures.p0},         {"p_wait", figures.p_wait},
                          {"lq", figures.lq},         {"ls", figures.ls},
                          {"wq_s", figures.wq},       {"ws_s", figures.ws}};
        context.console.write(json_line(answer) + "\n");
        return;
    }
    std::vector<Pair> pairs;
    if (options.target_wait) {
        pairs.push_back({"modems needed", fmt::to_string(servers)});
    }
    pairs.insert(pairs.end(), {{"P0", four_digits(figures.p0 * 100, " %")},
                               {"P(wait)", four_digits(figures.p_wait * 100, " %")},
                               {"Lq", four_digits(figures.lq, "")},
                               {"Ls", four_digits(figures.ls, "")},
                               {"Wq", four_digits(figures.wq, " s")},
                               {"Ws", four_digits(figures.ws, " s")}});
    context.console.write(pairs_text(pairs, context.console));
}

}  // namespace

Outcome<> run(const ModelMmcOptions& options, Context& context) {
    std::uint32_t servers = options.servers.value_or(0);
    if (options.target_wait) {
        const auto needed = model::servers_needed(options.lambda, options.mu, *options.target_wait);
        if (!needed) {
            return failure(ExitCode::bad_data, needed.error().context);
        }
        servers = *needed;
    }
    const auto figures =
        model::mmc({.lambda = options.lambda, .mu = options.mu, .servers = servers});
    if (!figures) {
        return failure(ExitCode::bad_data, figures.error().context);
    }
    show(*figures, servers, options, context);
    return ExitCode::done;
}

}  // namespace smsrack::cli
