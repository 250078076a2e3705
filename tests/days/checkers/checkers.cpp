#include "tests/days/checkers/checkers.hpp"

namespace smsrack::days {

std::vector<std::unique_ptr<Checker>> all_checkers(const RackRules& rules) {
    std::vector<std::unique_ptr<Checker>> all;
    all.push_back(kept());
    all.push_back(once(rules));
    all.push_back(forward());
    all.push_back(truth());
    all.push_back(inbound());
    all.push_back(read(rules));
    all.push_back(gate());
    all.push_back(quota(rules));
    all.push_back(busy());
    all.push_back(served(rules));
    all.push_back(in_time());
    all.push_back(pairs(rules));
    all.push_back(bounded());
    if (rules.scales && rules.protects && rules.segments_per_hour == 0) {
        all.push_back(parked(rules));
    }
    // A SIM with little left takes a short message before a long one.
    if (rules.segments_per_hour == 0) {
        all.push_back(order(rules));
        all.push_back(prompt(rules));
    }
    return all;
}

}  // namespace smsrack::days
