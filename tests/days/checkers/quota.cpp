#include "tests/days/checkers/checkers.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>

namespace smsrack::days {
namespace {

using namespace std::chrono_literals;

/// By what the network took, an hour that rolls. A submit counts when it begins, so the ones that began before the hour and ended in it are let
/// be: one for each SIM.
class Quota final : public Checker {
public:
    explicit Quota(const RackRules& rules) : most_(rules.segments_per_hour) {}
    [[nodiscard]] std::string_view name() const override { return "quota"; }

    void time_passed(SteadyTime, std::chrono::milliseconds length) override {
        for (auto& [iccid, hour] : taken_) {
            std::ranges::for_each(hour, [length](SteadyTime& at) { at -= length; });
        }
    }

    void at_network(const test::Submitted& submit) override {
        auto& hour = taken_[submit.iccid];
        while (!hour.empty() && hour.front() <= submit.at - 1h) {
            hour.pop_front();
        }
        hour.push_back(submit.at);
        if (most_ > 0 && hour.size() > most_ + 1) {
            throw Violation("quota",
                            fmt::format("the SIM {} sent {} segments in an hour; it may send {}",
                                        submit.iccid, hour.size(), most_),
                            {submit.to, fmt::format("m{}", submit.modem)});
        }
    }

private:
    std::uint32_t most_;
    std::map<std::string, std::deque<SteadyTime>> taken_;  // by SIM
};

}  // namespace

std::unique_ptr<Checker> quota(const RackRules& rules) {
    return std::make_unique<Quota>(rules);
}

}  // namespace smsrack::days
