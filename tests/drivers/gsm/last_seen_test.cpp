#include "drivers/gsm/last_seen.hpp"

#include <doctest/doctest.h>

#include <optional>

namespace smsrack::gsm {
namespace {

constexpr const char* imei = "332395011000000";

}  // namespace

TEST_CASE("LastSeen: a return differs from a restart, and another modem is neither") {
    using ports::Incident;
    struct Case {
        const char* what;
        const char* imei;
        bool mark_kept;
        bool port_anew;
        bool waking;
        std::optional<Incident> incident;
    };
    for (const Case& c : {
             Case{"set up again, and nothing happened", imei, true, false, false, {}},
             Case{"its settings are gone", imei, false, false, false, Incident::restarted},
             Case{"the port was gone", imei, true, true, false, Incident::reconnected},
             Case{"both", imei, false, true, false, Incident::restarted},
             Case{"it restarts at waking, as is meant", imei, false, false, true, {}},
             Case{"another modem", "332395011000018", false, true, false, {}},
         }) {
        CAPTURE(c.what);
        LastSeen seen;
        seen.port_opened();
        CHECK_FALSE(seen.returned({.identity = {.imei = imei}}));  // seen for the first time
        if (c.port_anew) {
            seen.port_opened();
        }
        if (c.waking) {
            seen.wakes();
        }
        CHECK(seen.returned({.identity = {.imei = c.imei}, .mark_kept = c.mark_kept}) ==
              c.incident);
    }
}

TEST_CASE("LastSeen: another SIM is one with another ICCID or IMSI") {
    LastSeen seen;
    CHECK(seen.has_other_sim({.imsi = "1", .iccid = "2"}));
    CHECK_FALSE(seen.has_other_sim({.imsi = "1", .iccid = "2"}));
    CHECK(seen.has_other_sim({.imsi = "3", .iccid = "2"}));
    CHECK(seen.has_other_sim({.imsi = "3", .iccid = "4"}));
    CHECK_FALSE(seen.has_other_sim({.imsi = "3", .iccid = "4"}));
}

TEST_CASE("LastSeen: the SIM of a modem that was adopted is no other one at the next set-up") {
    LastSeen seen;
    seen.adopt({.imei = imei, .imsi = "1", .iccid = "2"});
    CHECK_FALSE(seen.has_other_sim({.imei = imei, .imsi = "1", .iccid = "2"}));
    CHECK(seen.has_other_sim({.imei = imei, .imsi = "3", .iccid = "2"}));
}

}  // namespace smsrack::gsm
