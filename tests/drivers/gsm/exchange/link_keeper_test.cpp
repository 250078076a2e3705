#include "drivers/gsm/exchange/link_keeper.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace smsrack::gsm {

TEST_CASE("kept link: each command ends, and what is not known of it counts as before") {
    constexpr KeptLink states[]{KeptLink::off, KeptLink::going_on, KeptLink::on,
                                KeptLink::going_off};
    constexpr KeepEvent ends[]{KeepEvent::taken, KeepEvent::refused, KeepEvent::dropped};
    for (const KeptLink state : states) {
        const bool is_going = state == KeptLink::going_on || state == KeptLink::going_off;
        for (const KeepEvent end : ends) {
            const auto to = next(kept_link_rules, state, end);
            CHECK(to.has_value() == is_going);
            CHECK((!to || *to == KeptLink::on || *to == KeptLink::off));
        }
        CHECK(next(kept_link_rules, state, KeepEvent::on_asked).has_value() ==
              (state == KeptLink::off));
        CHECK(next(kept_link_rules, state, KeepEvent::off_asked).has_value() ==
              (state == KeptLink::on));
    }
    CHECK(next(kept_link_rules, KeptLink::going_on, KeepEvent::dropped) == KeptLink::off);
    CHECK(next(kept_link_rules, KeptLink::going_off, KeepEvent::dropped) == KeptLink::on);
    CHECK(std::ranges::size(kept_link_rules) == 8);
}

}  // namespace smsrack::gsm
