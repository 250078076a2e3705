#include "src/results/assembly_rule.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace smsrack::results {
namespace {

using Apart = std::chrono::milliseconds;

/// How well a part fits; of two the lower one is better.
struct Fit {
    bool is_out_of_order = false;  ///< a part behind it was submitted before it, or the reverse
    Apart apart = Apart::max();    ///< from the nearest part; max: one of both has no time stamp
    bool given_out = false;        ///< its message was given out without it

    [[nodiscard]] auto order() const { return std::tuple(is_out_of_order, apart, given_out); }
};

bool has_part(const ports::AssemblyCandidate& candidate, std::uint8_t seq) {
    return std::ranges::find(candidate.parts, seq, &ports::AssemblyPart::seq) !=
           candidate.parts.end();
}

Fit fit_of(const InboundSegment& part, const ports::AssemblyCandidate& candidate) {
    Fit fit{.given_out = candidate.given_out};
    for (const ports::AssemblyPart& other : candidate.parts) {
        if (!part.scts || !other.scts) {
            continue;
        }
        const auto later = *part.scts - *other.scts;
        const bool is_behind = part.concat->seq > other.seq;
        fit.is_out_of_order =
            fit.is_out_of_order || (is_behind ? later < Apart(0) : later > Apart(0));
        fit.apart = std::min(fit.apart, std::chrono::abs(later));
    }
    return fit;
}

}  // namespace

std::optional<std::size_t> choose_assembly(const InboundSegment& part,
                                           std::span<const ports::AssemblyCandidate> candidates) {
    std::optional<std::size_t> best;
    Fit best_fit;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (has_part(candidates[i], part.concat->seq)) {
            continue;
        }
        const Fit fit = fit_of(part, candidates[i]);
        if (!best || fit.order() < best_fit.order()) {
            best = i;
            best_fit = fit;
        }
    }
    return best;
}

}  // namespace smsrack::results
