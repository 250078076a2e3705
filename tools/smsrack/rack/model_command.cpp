// `smsrack model mmc`: prints the M/M/c figures of a rack, or the number of modems required for a
// given load.
#include "src/model/mmc.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/table.hpp"

#include <fmt/format.h>
#include <optional>
#include <vector>

namespace smsrack::cli {
namespace {

struct ModelMmcOptions {
    double lambda = 0;
    double mu = 0;
    std::optional<std::uint32_t> servers = {};
    std::optional<double> target_wait = {};  ///< seconds
};

std::string four_digits(double value, const char* unit) {
    return fmt::format("{:.4f}{}", value, unit);
}

Outcome<> show_figures(const model::MmcFigures& figures, std::uint32_t servers,
                       const ModelMmcOptions& options, Context& context) {
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
    return report({{"lambda", options.lambda},
                   {"mu", options.mu},
                   {"servers", servers},
                   {"rho", figures.rho},
                   {"p0", figures.p0},
                   {"p_wait", figures.p_wait},
                   {"lq", figures.lq},
                   {"ls", figures.ls},
                   {"wq_s", figures.wq},
                   {"ws_s", figures.ws}},
                  pairs_text(pairs, context.console), context);
}

Outcome<> model_mmc(const ModelMmcOptions& options, Context& context) {
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
    return show_figures(*figures, servers, options, context);
}

}  // namespace

void declare_model(const CommandGroup& program) {
    const CommandGroup model =
        program.group("model", "queueing models of a rack; needs no service");
    const auto mmc = model.command({"mmc",
                                    "M/M/c: one queue, equal modems",
                                    {"model mmc --lambda 1.5 --mu 0.33 --servers 8",
                                     "model mmc --lambda 1.5 --mu 0.33 --target-wait 5"}},
                                   model_mmc);
    ModelMmcOptions& options = mmc.options;
    mmc.app.add_option("--lambda", options.lambda, "messages that arrive per second")->required();
    mmc.app.add_option("--mu", options.mu, "messages that one modem sends per second")->required();
    CLI::Option* servers = mmc.app.add_option("--servers", options.servers, "modems");
    mmc.app
        .add_option("--target-wait", options.target_wait,
                    "mean wait in seconds: prints how many modems are needed")
        ->excludes(servers);
    mmc.check = [&options] {
        if (!options.servers && !options.target_wait) {
            throw CLI::RequiredError("--servers or --target-wait");
        }
    };
    declare_model_scaling(model);
}

}  // namespace smsrack::cli
