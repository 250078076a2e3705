#include "tests/days/offers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::days {

Offers::Offers(std::chrono::days kept, std::function<Ends()> ends)
    : kept_(kept), ends_(std::move(ends)) {}

Offers::Offer Offers::offer(const std::vector<Pair>& pairs, WallTime now) {
    Offer offer{.pairs = pairs, .over = forget(pairs, now)};
    for (const Pair& pair : pairs) {
        const auto [at, is_new] = offered_.try_emplace(pair, Times{.first = now});
        at->second.last = now;
        offer.must_be_new += is_new ? 1 : 0;
        if (at->second.decided && now - at->second.first < kept_ - std::chrono::days(1)) {
            offer.known.push_back(pair);
        }
    }
    return offer;
}

Decision Offers::decided(const Offer& offer, std::size_t fresh) {
    for (const Pair& pair : offer.pairs) {
        offered_.at(pair).decided = true;
    }
    Decision decision{.fresh = fresh,
                      .must_be_new = offer.must_be_new,
                      .may_be_new = offer.pairs.size() - offer.known.size()};
    if (fresh > decision.may_be_new) {
        const Ends ends = ends_();
        decision.may_be_new += static_cast<std::size_t>(std::ranges::count_if(
            offer.known, [&](const Pair& pair) { return ends.unsent.contains(pair); }));
    }
    return decision;
}

/// As if they were never offered, those whose days are surely over.
std::size_t Offers::forget(const std::vector<Pair>& pairs, WallTime now) {
    std::vector<Pair> over;
    std::ranges::copy_if(pairs, std::back_inserter(over), [&](const Pair& pair) {
        const auto at = offered_.find(pair);
        return at != offered_.end() && now - at->second.last > kept_ + std::chrono::days(2);
    });
    if (over.empty()) {
        return 0;
    }
    const Ends ends = ends_();
    std::erase_if(over, [&](const Pair& pair) { return ends.open.contains(pair); });
    for (const Pair& pair : over) {
        offered_.erase(pair);
    }
    return over.size();
}

}  // namespace smsrack::days
