#include "src/overload/load_rule.hpp"

#include "src/stats/decaying_rate.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <vector>

namespace smsrack::overload {
namespace {

// Of the rate: higher levels leave at least this much, in the long run.
constexpr double least_share = 0.05;
constexpr double least_variation = 0.1;  // no line is so even that its past says more

/// By how much the time of n segments may exceed its mean, `takes`: service times scatter
/// themselves, and their mean is known from `samples` only; what comes above meanwhile scatters
/// (Poisson), and its rate is known from the memory of that rate only.
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

/// Segments per second that n lines leave for this level.
double rate_of(const Standing& standing, double lines) {
    const double rate = lines / standing.service.mean.count();
    return std::max(rate - standing.above, least_share * rate);
}

/// Time until n segments are sent, while one line after the other joins in.
Seconds time_for(const Standing& standing, double segments) {
    double lines = standing.lines;
    Seconds at{0};
    for (const Seconds joins : standing.later) {
        const double until_then = rate_of(standing, lines) * (joins - at).count();
        if (until_then >= segments) {
            break;
        }
        segments -= until_then;
        at = joins;
        ++lines;
    }
    const double rate = rate_of(standing, lines);
    return rate > 0 ? at + Seconds(segments / rate) : Seconds(HUGE_VAL);
}

}  // namespace

double rate_left(const Standing& standing) {
    return rate_of(standing, standing.lines + static_cast<double>(standing.later.size()));
}

double sent_within(const Standing& standing, Seconds time) {
    double lines = standing.lines;
    double sent = 0;
    Seconds at{0};
    for (const Seconds joins : standing.later) {
        if (joins >= time) {
            break;
        }
        sent += rate_of(standing, lines) * (joins - at).count();
        at = joins;
        ++lines;
    }
    return sent + rate_of(standing, lines) * (time - at).count();
}

Judgement judge(const Standing& standing) {
    const double others = standing.ahead + standing.held;
    Judgement judgement;
    if (others > 0) {
        // It is under way when the last of it is taken.
        const double segments = others + standing.own;
        const Seconds mean = time_for(standing, segments);
        judgement.t_ahead =
            std::isfinite(mean.count()) ? mean * (1 + doubt(standing, segments, mean)) : mean;
    }
    if (standing.no_line > standing.t_max && standing.later.empty()) {
        judgement.why = Why::no_line;
    } else if (judgement.t_ahead > standing.t_max) {
        judgement.why = Why::work_ahead;
        judgement.back = std::max(judgement.t_ahead - standing.t_max,
                                  Seconds(standing.own / std::max(rate_left(standing), 1e-9)));
    } else if (standing.t_recent && *standing.t_recent > standing.t_max && !standing.parked) {
        judgement.why = Why::slow;
    }
    return judgement;
}

Seconds expected(const Standing& standing) {
    const double before_a_line_is_free =
        std::max(0.0, standing.ahead + standing.below - standing.lines + 1);
    const Seconds wait =
        before_a_line_is_free > 0 ? time_for(standing, before_a_line_is_free) : Seconds::zero();
    return standing.service.mean * std::max(1.0, standing.own) +
           (std::isfinite(wait.count()) ? wait : Seconds::zero());
}

bool has_lines_enough(const Standing& standing) {
    const double lines = standing.lines + static_cast<double>(standing.later.size());
    return lines > 0 && judge(standing).t_ahead <= wake_share * standing.t_max &&
           !(standing.t_recent && *standing.t_recent > standing.t_max);
}

std::size_t lines_needed(Standing standing, std::size_t able, std::span<const Seconds> later) {
    const bool slow = standing.t_recent && *standing.t_recent > standing.t_max;
    if (standing.ahead + standing.held <= 0 && !slow) {
        return 0;
    }
    std::vector<Seconds> joining;
    const auto enough = [&](std::size_t lines) {
        joining.assign(later.begin(),
                       later.begin() + static_cast<std::ptrdiff_t>(lines - std::min(lines, able)));
        std::ranges::sort(joining);
        standing.lines = static_cast<double>(std::min(lines, able));
        standing.later = joining;
        return has_lines_enough(standing);
    };
    const auto counts = std::views::iota(std::size_t{0}, able + later.size());
    const auto fewest =
        std::ranges::partition_point(counts, [&](std::size_t lines) { return !enough(lines); });
    return static_cast<std::size_t>(fewest - counts.begin());  // where none is enough: all
}

}  // namespace smsrack::overload
