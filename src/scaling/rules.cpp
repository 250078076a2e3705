#include "src/scaling/rules.hpp"

#include <cmath>
#include <fmt/format.h>

namespace smsrack::scaling {

Result<> check(const ScalingRules& rules) {
    if (rules.n_min < 1 || rules.n_max > nodes_max || rules.n_min > rules.n_max) {
        return fail(Errc::bad_request,
                    fmt::format("n-min must be from 1 to the number of nodes, which is at most {}",
                                nodes_max));
    }
    if (rules.samples < samples_min || rules.samples > samples_max) {
        return fail(Errc::bad_request,
                    fmt::format("samples must be from {} to {}", samples_min, samples_max));
    }
    if (rules.period.count() <= 0) {
        return fail(Errc::bad_request, "the period must be above 0");
    }
    if (!(rules.idle >= 0.01 && rules.idle <= 0.2)) {
        return fail(Errc::bad_request, "idle must be from 0.01 to 0.2");
    }
    if (!(rules.busy >= 0.6 && rules.busy <= 0.9)) {
        return fail(Errc::bad_request, "busy must be from 0.6 to 0.9");
    }
    if (!std::isfinite(rules.node_rate) || rules.node_rate <= 0) {
        return fail(Errc::bad_request, "the rate of a node must be a number above 0");
    }
    return {};
}

}  // namespace smsrack::scaling
