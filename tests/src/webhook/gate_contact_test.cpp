#include "src/webhook/gate_contact.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::webhook;
using namespace std::chrono_literals;

TEST_CASE("GateContact: a gate that does not come, or goes, is missed after a minute") {
    constexpr SteadyTime start{1h};
    GateContact gate;
    gate.begin(start);
    CHECK(gate.fault(start + 59s).empty());
    CHECK(gate.fault(start + 60s).contains("does not ask"));
    CHECK(gate.silent_at() == start + 60s);
    CHECK(gate.takes("one", "", start + 90s));
    CHECK(gate.fault(start + 90s).empty());
    gate.seen(start + 110s);
    CHECK(gate.fault(start + 169s).empty());
    CHECK_FALSE(gate.fault(start + 170s).empty());
}

TEST_CASE("GateContact: a gate that can't send says why, until it can") {
    GateContact gate;
    CHECK(gate.takes("one", "webhooks need libcurl", {}));
    CHECK(gate.fault({}) == "smsrack-gate can't send for it: webhooks need libcurl");
    CHECK_FALSE(gate.takes("one", "", {}));
    CHECK(gate.fault({}).empty());
    CHECK(gate.takes("another", "", {}));
}

TEST_CASE("GateContact: a gate with other settings is no silent one") {
    GateContact gate;
    SteadyTime now = SteadyTime{} + 1h;
    gate.begin(now);
    now += 50s;
    gate.misread(now);
    now += 50s;
    CHECK(gate.fault(now).contains("have read different settings"));
    (void)gate.takes("1", "", now);
    CHECK(gate.fault(now).empty());
}
