#include "src/overload/load_rule.hpp"

#include "src/stats/decaying_rate.hpp"

#include <algorithm>
#include <cmath>

namespace smsrack::overload {
namespace {

constexpr double least_share =
    0.05;  // of the rate: higher levels leave at least so much, in the long run
constexpr double least_variation = 0.1;  // no line is so even that its past tells more

/// By how much the time of so many segments may exceed its mean, `takes`: service times scatter themselves, and their mean is known
/// from `samples` only; what comes above meanwhile scatters (Poisson), and its rate is known from the memory of that rate only.
double doubt(const Standing& standing, double segments, Seconds takes) {
    if (!standing.service.measured()) {
        return 0;
    }
    const double variation = std::max(standing.service.variation, least_variation);
    const double services =
        variation * variation * (1 / segments + 1 / static_cast<double>(standing.service.samples));
    const double coming = standing.above * takes.count();
    const double all = segments + coming;
    const double arrivals =
        coming * (1 + takes.count() / (2 * stats::DecayingRate::memory_s)) / (all * all);
    return standing.doubt_factor * std::sqrt(services + arrivals);
}

}  // namespace

double rate_left(const Standing& standing) {
    const double rate = standing.lines / standing.service.mean.count();
    return std::max(rate - standing.above, least_share * rate);
}

Judgement judge(const Standing& standing) {
    const double others = standing.ahead + standing.held;
    const double rate = rate_left(standing);
    Judgement judgement;
    if (others > 0 && rate > 0) {
        const double segments =
            others + standing.own;  // it is under way when the last of it is taken
        const Seconds mean(segments / rate);
        judgement.t_ahead = mean * (1 + doubt(standing, segments, mean));
    }
    if (others > 0 && rate <= 0) {
        judgement.t_ahead = Seconds(HUGE_VAL);
    }
    if (standing.no_line > standing.t_max) {
        judgement.why = Why::no_line;
    } else if (judgement.t_ahead > standing.t_max) {
        judgement.why = Why::work_ahead;
        judgement.back = std::max(judgement.t_ahead - standing.t_max,
                                  Seconds(standing.own / std::max(rate, 1e-9)));
    } else if (standing.t_recent && *standing.t_recent > standing.t_max) {
        judgement.why = Why::slow;
    }
    return judgement;
}

Seconds expected(const Standing& standing) {
    const double rate = rate_left(standing);
    const double before_a_line_is_free =
        std::max(0.0, standing.ahead + standing.below - standing.lines + 1);
    return standing.service.mean * std::max(1.0, standing.own) +
           Seconds(rate > 0 ? before_a_line_is_free / rate : 0);
}

}  // namespace smsrack::overload
