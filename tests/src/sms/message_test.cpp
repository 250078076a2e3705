#include "src/sms/message.hpp"

#include "src/base/guarded_clock.hpp"
#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("is_over: a code ends by the machine's clock before anyone has looked at its step") {
    struct Row {
        const char* what;
        std::chrono::minutes life;
        std::chrono::hours suspended;
        std::chrono::hours set_by;
        bool over;
    };
    for (const Row& row : {
             Row{"a code, and nothing happened", 1min, 0h, 0h, false},
             Row{"a code, suspended", 1min, 3h, 0h, true},
             Row{"a code, set forward or paused", 1min, 0h, 3h, true},
             Row{"a code, set back", 1min, 0h, -3h, false},
             Row{"an hour to live, suspended", 60min, 3h, 0h, true},
             Row{"an hour to live, set forward: it is moved", 60min, 0h, 3h, false},
         }) {
        CAPTURE(row.what);
        test::ManualClock real;
        const GuardedClock clock(real, 1h);
        OutMessage message;
        message.created_at = clock.wall();
        message.expires_at = clock.wall() + row.life;
        real.suspend(row.suspended);
        real.set_date(real.wall() + row.set_by);
        CHECK(is_over(message, clock) == row.over);
    }
}
