#include "tools/bench/scaling_traces.hpp"

#include "tools/modem_model/faults/split_mix.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace smsrack::bench {
namespace {

using scaling::Sample;
using scaling::ScalingRules;

constexpr double peak = 12'000;
constexpr double night = 0.03;  // of the peak

struct Corner {
    double hour;
    double load;
};

/// Straight lines between the corners.
double at(const std::vector<Corner>& corners, double hour) {
    const auto next = std::ranges::upper_bound(corners, hour, {}, &Corner::hour);
    if (next == corners.begin() || next == corners.end()) {
        return next == corners.end() ? corners.back().load : next->load;
    }
    const Corner& before = *(next - 1);
    return std::lerp(before.load, next->load, (hour - before.hour) / (next->hour - before.hour));
}

std::vector<Sample> along(const std::vector<Corner>& corners, const ScalingRules& rules) {
    const double step = std::chrono::duration<double, std::ratio<3'600>>(rules.period).count();
    std::vector<Sample> samples;
    // NOLINTNEXTLINE(cert-flp30-c): whether there is one more at the end does not matter
    for (double hour = 0; hour < corners.back().hour; hour += step) {
        samples.push_back({.load = at(corners, hour)});
    }
    return samples;
}

double even(Random& random) {
    return static_cast<double>(random.below(1U << 30U)) / (1U << 30U);
}

double gauss(Random& random) {
    const double radius = std::sqrt(-2 * std::log(1 - even(random)));
    return radius * std::cos(2 * std::numbers::pi * even(random));
}

void disturb(std::vector<Sample>& samples, double part, Random& random) {
    for (Sample& sample : samples) {
        sample.load = std::max(0.0, sample.load * (1 + part * gauss(random)));
    }
}

std::vector<Corner> a_day(double highest) {
    return {{0, 0.2 * highest},   {1, night * highest}, {7, night * highest}, {9, 0.75 * highest},
            {11, highest},        {13, 0.8 * highest},  {15, 0.8 * highest},  {19, 0.95 * highest},
            {21, 0.7 * highest},  {23, 0.3 * highest},  {24, 0.1 * highest},  {25, night * highest},
            {26, night * highest}};
}

/// An ordinary day with a mean of 1,200, and from 19 to 24 h ten times that.
std::vector<Corner> a_holiday() {
    return {{0, 400},     {1, 60},        {7, 60},       {9, 1'600},  {18, 1'600}, {19, 2'500},
            {20, 12'000}, {23.5, 12'000}, {24.5, 4'000}, {25.5, 400}, {27, 60}};
}

std::vector<Sample> steps(const ScalingRules& rules) {
    constexpr double each = 0.5;  // hours
    std::vector<Sample> samples = along({{0, 0}, {4 * each, 0}}, rules);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        constexpr std::array<double, 4> loads{10, 5'000, 8'000, 12'000};
        samples[i].load = loads.at(i * loads.size() / samples.size());
    }
    return samples;
}

}  // namespace

std::vector<NamedTrace> published_traces(const ScalingRules& rules) {
    std::vector<NamedTrace> traces;
    traces.push_back({"published steps", steps(rules)});
    traces.push_back({"day", along(a_day(peak), rules)});
    traces.push_back({"holiday", along(a_holiday(), rules)});
    modem_sim::SplitMix random(1);
    auto noisy = along(a_day(peak), rules);
    disturb(noisy, 0.25, random);
    traces.push_back({"noisy day", std::move(noisy)});
    auto crash = along(a_day(peak), rules);
    const auto highest = std::ranges::max_element(crash, {}, &Sample::load);
    highest->crashed = 1;
    traces.push_back({"crash at the peak", std::move(crash)});
    return traces;
}

std::vector<Sample> random_day(const ScalingRules& rules, Random& random) {
    const double most = rules.n_max * rules.node_rate * (0.2 + 0.9 * even(random));
    const double low = 0.02 * rules.n_min * rules.node_rate;
    std::vector<Corner> corners{{0, low}};
    const auto count = 2 + random.below(10);
    double hour = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        hour += 0.05 + 3 * even(random);
        corners.push_back({hour, low + most * even(random)});
    }
    corners.push_back({hour + 0.05 + 3 * even(random), low});
    const auto until_night = along(corners, rules).size();
    const double quiet =
        0.5 + rules.n_max * static_cast<double>(rules.samples) *
                  std::chrono::duration<double, std::ratio<3'600>>(rules.period).count();
    corners.push_back({corners.back().hour + quiet, low});
    auto samples = along(corners, rules);
    disturb(samples, 0.3 * even(random), random);
    if (random.below(2) == 0) {
        for (std::uint64_t crashes = random.below(4); crashes > 0; --crashes) {
            samples.at(random.below(until_night)).crashed = 1;
        }
    }
    return samples;
}

}  // namespace smsrack::bench
