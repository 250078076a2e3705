#include "src/model/mmc.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace smsrack::model {
namespace {

bool is_rate(double value) {
    return std::isfinite(value) && value > 0;
}

/// The chance that all of `servers` are busy when none may wait (Erlang B).
double erlang_b(double offered, std::uint32_t servers) {
    double blocked = 1;
    for (std::uint32_t c = 1; c <= servers; ++c) {
        blocked = offered * blocked / (static_cast<double>(c) + offered * blocked);
    }
    return blocked;
}

/// 1/P0 = sum_{k<c} a^k/k! + a^c/(c!(1-rho)), in logarithms since a^k and k! outgrow a double long
/// before their ratio does; the largest term is taken out.
double log_of_1_by_p0(double offered, std::uint32_t servers, double rho) {
    const auto log_term = [offered](double k) {
        return k * std::log(offered) - std::lgamma(k + 1);
    };
    const auto last = static_cast<double>(servers);
    const double log_waiting = log_term(last) - std::log1p(-rho);
    double largest = log_waiting;
    for (double k = 0; k < last; ++k) {
        largest = std::max(largest, log_term(k));
    }
    double sum = std::exp(log_waiting - largest);
    for (double k = 0; k < last; ++k) {
        sum += std::exp(log_term(k) - largest);
    }
    return largest + std::log(sum);
}

}  // namespace

Result<MmcFigures> mmc(const MmcLoad& load) {
    if (!is_rate(load.lambda) || !is_rate(load.mu)) {
        return fail(Errc::bad_request, "lambda and mu must be numbers above 0");
    }
    if (load.servers == 0 || load.servers > servers_max) {
        return fail(Errc::bad_request, fmt::format("servers must be from 1 to {}", servers_max));
    }
    const double offered = load.lambda / load.mu;
    const double rho = offered / load.servers;
    if (rho >= 1) {
        return fail(Errc::bad_request, fmt::format("{} servers carry less than {} a second, so the "
                                                   "queue grows without end (rho = {:.4f})",
                                                   load.servers, load.lambda, rho));
    }
    const double blocked = erlang_b(offered, load.servers);
    MmcFigures figures{.rho = rho};
    figures.p_wait = blocked / (1 - rho * (1 - blocked));
    figures.p0 = std::exp(-log_of_1_by_p0(offered, load.servers, rho));
    figures.lq = figures.p_wait * rho / (1 - rho);
    figures.ls = figures.lq + offered;
    figures.wq = figures.lq / load.lambda;
    figures.ws = figures.wq + 1 / load.mu;
    return figures;
}

Result<std::uint32_t> servers_needed(double lambda, double mu, double target_wait) {
    if (!is_rate(lambda) || !is_rate(mu)) {
        return fail(Errc::bad_request, "lambda and mu must be numbers above 0");
    }
    if (!is_rate(target_wait)) {
        return fail(Errc::bad_request, "the target wait must be a number of seconds above 0");
    }
    const double offered = lambda / mu;
    if (offered >= servers_max) {
        return fail(Errc::bad_request,
                    fmt::format("more than {} servers would be needed", servers_max));
    }
    // Erlang B for one server more at a time; Wq falls with each, so the first that keeps the
    // target is the answer.
    double blocked = 1;
    for (std::uint32_t servers = 1; servers <= servers_max; ++servers) {
        blocked = offered * blocked / (servers + offered * blocked);
        const double rho = offered / servers;
        if (rho >= 1) {
            continue;
        }
        const double p_wait = blocked / (1 - rho * (1 - blocked));
        if (p_wait * rho / (1 - rho) / lambda <= target_wait) {
            return servers;
        }
    }
    return fail(Errc::bad_request,
                fmt::format("more than {} servers would be needed", servers_max));
}

}  // namespace smsrack::model
