// A SIM that erases badly.
#include "tests/tools/modem_sim/rig.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using modem_sim::FaultKind;
using test::Rig;

TEST_CASE("erase_refused: the code, and the place is erased in about half of them") {
    constexpr unsigned all = 100;
    Rig rig{{.sm_places = all}};
    for (unsigned i = 0; i < all; ++i) {
        rig.receive("hello");
    }
    (void)rig.model.take_output();
    rig.inject({.kind = FaultKind::erase_refused, .count = all, .code = 314});
    for (unsigned place = 1; place <= all; ++place) {
        CHECK(rig.at("AT+CMGD=" + std::to_string(place)) == "\r\n+CMS ERROR: 314\r\n");
    }
    const std::size_t left = rig.model.core().card.sms.used();
    CHECK(left > 25);
    CHECK(left < 75);
    CHECK(rig.at("AT+CMGD=1,4") == "\r\nOK\r\n");
}

TEST_CASE("erase_slow: the answer comes later, and another message may be in the place by then") {
    Rig rig;
    rig.receive("first");
    (void)rig.model.take_output();
    rig.inject({.kind = FaultKind::erase_slow, .delay = 5s});
    CHECK(rig.at("AT+CMGD=1") == "");
    CHECK(rig.at("AT+CSQ") == "");  // it waits
    rig.receive("second", 2);
    CHECK(rig.model.take_output() == "\r\n+CMTI: \"SM\",1\r\n");
    CHECK(rig.pass(5s - 1us) == "");
    CHECK(rig.pass(1us) == "\r\nOK\r\n\r\n+CSQ: 15,0\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CMGR=1").starts_with("\r\n+CMGR: 0,,"));
    CHECK(rig.at("AT+CMGD=1") == "\r\nOK\r\n");
}

TEST_CASE("erase_slow: a restart ends it, and the place is free") {
    Rig rig{{.boot = 1000ms}};
    (void)rig.at("AT&W");
    rig.receive("hello");
    rig.inject({.kind = FaultKind::erase_slow, .delay = 1h});
    (void)rig.at("AT+CMGD=1");
    rig.inject({.kind = FaultKind::reboot});
    (void)rig.pass(1s);
    CHECK(rig.at("AT+CMGR=1") == "\r\n+CMS ERROR: 321\r\n");
    CHECK(rig.pass(2h) == "");
}

TEST_CASE(
    "the journal tells of each erasure, and where its answer left whole that it is confirmed") {
    struct Case {
        const char* what;
        std::optional<modem_sim::Fault> fault;
        bool confirmed;
    };
    for (const Case& c :
         {Case{"well", std::nullopt, true},
          Case{"torn", modem_sim::Fault{.kind = FaultKind::lose_octets, .code = 100}, false},
          Case{"refused", modem_sim::Fault{.kind = FaultKind::erase_refused, .count = 50}, false},
          Case{"slow", modem_sim::Fault{.kind = FaultKind::erase_slow, .delay = 5s}, true}}) {
        CAPTURE(c.what);
        Rig rig;
        for (int i = 0; i < 10; ++i) {  // one refusal of two erases
            rig.receive("hello", 7);
        }
        if (c.fault) {
            rig.inject(*c.fault);
        }
        for (int place = 1; rig.journal.erased_ids.empty(); ++place) {
            (void)rig.at("AT+CMGD=" + std::to_string(place));
        }
        (void)rig.pass(10s);
        CHECK(rig.journal.erased_ids == std::vector<std::uint64_t>{7});
        CHECK(rig.journal.confirmations == (c.confirmed ? 1 : 0));
    }
}

TEST_CASE("the journal tells that an acknowledgement was confirmed") {
    for (const bool torn : {false, true}) {
        CAPTURE(torn);
        Rig rig;
        (void)rig.at("AT+CSMS=1;+CNMI=2,2,0,1,0");
        rig.receive("hello");
        if (torn) {
            rig.inject({.kind = FaultKind::lose_octets, .code = 100});
        }
        (void)rig.at("AT+CNMA");
        CHECK(rig.journal.deliveries.back().how == "acknowledged");
        CHECK(rig.journal.confirmations == (torn ? 0 : 1));
    }
}
