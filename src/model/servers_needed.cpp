#include "src/model/servers_needed.hpp"

#include <cmath>
#include <fmt/format.h>

namespace smsrack::model {

Result<std::uint32_t> servers_needed(double lambda, double mu, double target_wait) {
    if (!std::isfinite(lambda) || !std::isfinite(mu) || lambda <= 0 || mu <= 0) {
        return fail(Errc::bad_request, "lambda and mu must be numbers above 0");
    }
    if (!std::isfinite(target_wait) || target_wait <= 0) {
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
