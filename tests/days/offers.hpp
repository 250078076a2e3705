/// The answer that a feeder of events to a trigger may expect: how many of them must be new, and
/// how many may be.
///
/// It goes by its own memory of what it offered and heard. The end of a pair's days is known to a day, since clocks are set and what was
/// not heard is offered again; and what the service remembers is forgotten by the night after.
#pragma once

#include "tests/days/checkers/checker.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace smsrack::days {

class Offers {
public:
    /// Pairs by what became of their messages.
    struct Ends {
        std::set<Pair> open;    ///< one is on its way: it is kept for as long
        std::set<Pair> unsent;  ///< one was certainly not delivered: it may be claimed again
    };
    struct Offer {
        std::vector<Pair> pairs;
        std::vector<Pair> known = {};  ///< decided before, and not over
        std::size_t must_be_new = 0;
        std::size_t over = 0;  ///< of these: offered before, and their days are over
    };

    /// `ends` reports what the store says now.
    Offers(std::chrono::days kept, std::function<Ends()> ends);

    /// They are offered now.
    [[nodiscard]] Offer offer(const std::vector<Pair>& pairs, WallTime now);
    /// They were decided, and n of them are new.
    [[nodiscard]] Decision decided(const Offer& offer, std::size_t fresh);

private:
    struct Times {
        WallTime first = {};
        WallTime last = {};
        bool decided = false;
    };
    std::size_t forget(const std::vector<Pair>& pairs, WallTime now);

    std::chrono::days kept_;
    std::function<Ends()> ends_;
    std::map<Pair, Times> offered_;
};

}  // namespace smsrack::days
