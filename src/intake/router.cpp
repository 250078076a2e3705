#include "src/intake/router.hpp"

#include "src/base/hash.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace smsrack::intake {
namespace {

constexpr double unmeasured = 0.2;  // segments a second of a line: a real submit takes 5 to 14 s
constexpr double lately_s = 8;      // that a group is credited with what went there

struct Candidate {
    const std::string* group = nullptr;
    double lines = 0;
    double seconds = 0;             // until it would have sent the message
    std::string_view not_now = {};  // why it can't; empty: it can
};

Candidate candidate_of(const std::string& group, const std::optional<ports::GroupLoad>& load,
                       const Routed& message, double lately) {
    Candidate c{.group = &group};
    if (!load) {
        c.lines = 1;
        return c;
    }
    const auto ahead = static_cast<double>(load->levels.at(message.level).ahead);
    c.lines = load->lines.total;
    const double rate = load->rate.value_or(unmeasured * std::max(load->lines.able, 1U));
    c.seconds = (std::max(ahead, lately) + message.segments) / rate;
    if (load->lines.paused) {
        c.not_now = "paused";
    } else if (load->lines.able == 0) {
        c.not_now = "no modem can send";
    } else if (load->lines.quota_left &&
               static_cast<double>(*load->lines.quota_left) < ahead + message.segments) {
        c.not_now = "its quotas are spent";
    }
    return c;
}

/// Rendezvous hashing by the number of lines: where a group leaves, only its own recipients move.
double score(const Candidate& candidate, std::string_view to) {
    const std::uint64_t hash = hash64(fmt::format("{}|{}", to, *candidate.group));
    const double u = (static_cast<double>(hash >> 11U) + 0.5) / 0x1p53;
    return -std::max(candidate.lines, 1.0) / std::log(u);
}

std::string words_of(const Candidate& candidate) {
    return candidate.not_now.empty()
               ? fmt::format("{} ({:.0f} s)", *candidate.group, std::ceil(candidate.seconds))
               : fmt::format("{} ({})", *candidate.group, candidate.not_now);
}

}  // namespace

const Route* Router::route_of(std::string_view to) const {
    const auto route =
        std::ranges::find_if(routes_, [to](const Route& r) { return to.starts_with(r.prefix); });
    return route == routes_.end() ? nullptr : &*route;
}

RouteChoice Router::choose(const Routed& message, const LoadOf& load_of, SteadyTime now) const {
    const Route* const route = route_of(message.to);
    if (route == nullptr) {
        return {.group = default_group_, .why = "the default group, no route fits"};
    }
    if (route->groups.size() == 1) {
        return {.group = route->groups.front(),
                .sticky = route->sticky,
                .why = "route " + route->prefix};
    }
    std::vector<Candidate> candidates;
    std::string all;
    for (const std::string& group : route->groups) {
        const double lately = lately_[group].per_second(now) * lately_s;
        candidates.push_back(candidate_of(group, load_of(group), message, lately));
        all += (all.empty() ? "" : ", ") + words_of(candidates.back());
    }
    if (std::ranges::any_of(candidates, [](const auto& c) { return c.not_now.empty(); })) {
        std::erase_if(candidates, [](const auto& c) { return !c.not_now.empty(); });
    }
    const auto best = route->sticky
                          ? std::ranges::max_element(
                                candidates, {}, [&](const auto& c) { return score(c, message.to); })
                          : std::ranges::min_element(candidates, {}, &Candidate::seconds);
    return {.group = *best->group,
            .sticky = route->sticky,
            .why = fmt::format("route {}: of {} the {}", route->prefix, all,
                               route->sticky ? "recipient's own" : "soonest")};
}

void Router::went(const std::string& group, std::uint32_t segments, SteadyTime now) {
    if (const auto found = lately_.find(group); found != lately_.end()) {
        found->second.add(now, segments);  // only groups that were chosen among
    }
}

bool Router::leads_to(std::string_view to, std::string_view group) const {
    const Route* const route = route_of(to);
    return route == nullptr ? group == default_group_
                            : std::ranges::find(route->groups, group) != route->groups.end();
}

std::string Router::why(std::string_view to, std::string_view group) const {
    if (!leads_to(to, group)) {
        return "asked for by the sender, or by an earlier configuration";
    }
    const Route* const route = route_of(to);
    return route == nullptr ? "the default group, no route fits" : "route " + route->prefix;
}

}  // namespace smsrack::intake
