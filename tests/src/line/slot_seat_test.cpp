#include "src/line/slot_seat.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>

using namespace smsrack;
using namespace std::chrono_literals;
using line::SeatEvent;
using line::SeatState;
using line::SlotSeat;

namespace {

constexpr WallTime noon{std::chrono::milliseconds(1'000'000)};
constexpr SteadyTime start{};

const ports::ModemIdentity first{.imei = "3532", .imsi = "20801", .iccid = "8933"};
const ports::ModemIdentity other_sim{.imei = "3532", .imsi = "20802", .iccid = "8944"};
const ports::ModemIdentity other_modem{.imei = "3599", .imsi = "20801", .iccid = "8933"};

SlotSeat seat(bool has_quota = false, ports::SimPolicy policy = ports::SimPolicy::warn) {
    return SlotSeat({.slot = "m0", .policy = policy, .has_quota = has_quota});
}

/// A seat whose SIM has the number 5 and, where it has one, a quota that was asked for.
SlotSeat known_seat(bool has_quota = false) {
    SlotSeat known = seat(has_quota);
    (void)known.ready(first);
    (void)known.paired(known.seen(noon), {});
    known.named(SimId{5});
    if (has_quota) {
        known.counted();
    }
    return known;
}

}  // namespace

TEST_CASE("SlotSeat: the store is asked for the slot, then the SIM, then its quota") {
    for (const bool has_quota : {false, true}) {
        CAPTURE(has_quota);
        SlotSeat it = seat(has_quota);
        CHECK(it.state() == SeatState::unknown);
        CHECK_FALSE(it.ready(first));
        REQUIRE(it.state() == SeatState::pairing);
        CHECK(it.seen(noon).slot == "m0");
        CHECK(it.seen(noon).card == "8933");
        CHECK(it.sim() == SimId{});
        CHECK_FALSE(it.paired(it.seen(noon), {}).sim_changed);
        REQUIRE(it.state() == SeatState::naming);
        REQUIRE(it.awaits_name("8933"));
        it.named(SimId{5});
        CHECK(it.sim() == SimId{5});
        CHECK(it.state() == (has_quota ? SeatState::counting : SeatState::known));
        if (has_quota) {
            REQUIRE(it.awaits_usage(SimId{5}));
            it.counted();
        }
        CHECK(it.state() == SeatState::known);
    }
}

TEST_CASE("SlotSeat: a modem that comes back as it was is asked about nothing again") {
    SlotSeat it = known_seat();
    CHECK_FALSE(it.identified(first));
    CHECK(it.ready(first));
    CHECK(it.state() == SeatState::known);
}

TEST_CASE("SlotSeat: another SIM or another modem is asked about, without the number of before") {
    for (const ports::ModemIdentity& next : {other_sim, other_modem}) {
        CAPTURE(next.imei);
        SlotSeat it = known_seat(true);
        CHECK_FALSE(it.ready(next));
        CHECK(it.state() == SeatState::pairing);
        CHECK(it.sim() == SimId{});
    }
    SlotSeat set_up = known_seat();
    CHECK_FALSE(set_up.identified(other_modem));
    CHECK(set_up.sim() == SimId{5});
    CHECK(set_up.identified(other_sim));
    CHECK(set_up.sim() == SimId{});
    CHECK(set_up.state() == SeatState::unknown);
    CHECK_FALSE(set_up.identified(first));  // nothing was read of the one between
}

TEST_CASE("SlotSeat: an answer about what has changed meanwhile is not awaited") {
    SlotSeat it = seat(true);
    (void)it.ready(first);
    const ports::SlotSeen asked = it.seen(noon);
    (void)it.ready(other_sim);
    CHECK_FALSE(it.awaits_pair(asked));
    REQUIRE(it.awaits_pair(it.seen(noon)));
    (void)it.paired(it.seen(noon), {});
    CHECK_FALSE(it.awaits_pair(it.seen(noon)));
    CHECK_FALSE(it.awaits_name("8933"));
    it.named(SimId{6});
    CHECK_FALSE(it.awaits_name("8944"));
    CHECK_FALSE(it.awaits_usage(SimId{5}));
    CHECK(it.awaits_usage(SimId{6}));
}

TEST_CASE("SlotSeat: a SIM that the slot must not have is refused until another is seen") {
    SlotSeat it = seat(false, ports::SimPolicy::refuse);
    (void)it.ready(other_sim);
    CHECK(it.seen(noon).keep_card);
    const auto verdict = it.paired(it.seen(noon), {.card = "8933", .card_was_in = "m7"});
    CHECK(verdict.is_refused());
    CHECK(verdict.detail.starts_with("the SIM 8944 (last in m7) is where 8933 was; put that one"));
    CHECK(it.is_refused());
    CHECK_FALSE(it.ready(first));
    CHECK(it.state() == SeatState::pairing);
}

TEST_CASE("SlotSeat: a store that fails is asked again after a pause, from the slot on") {
    SlotSeat it = seat(true);
    (void)it.ready(first);
    (void)it.paired(it.seen(noon), {});
    CHECK_FALSE(it.retries(start + 1h));
    it.failed(start);
    CHECK(it.retry_at() == start + 2s);
    CHECK_FALSE(it.retries(start + 2s - 1ns));
    CHECK(it.retries(start + 2s));
    CHECK_FALSE(it.retries(start + 2s));
    CHECK(it.state() == SeatState::pairing);
    (void)it.paired(it.seen(noon), {});
    it.named(SimId{5});
    it.failed(start);
    CHECK(it.state() == SeatState::counting);  // the SIM stays known
    CHECK(it.sim() == SimId{5});
    it.counted();
    CHECK(it.retry_at() == never);
}

TEST_CASE("SlotSeat: where the store counts otherwise, its count is asked for again") {
    SlotSeat it = known_seat(true);
    it.count_again();
    CHECK(it.state() == SeatState::counting);
    CHECK(it.sim() == SimId{5});
    SlotSeat asking = seat(true);
    (void)asking.ready(first);
    asking.count_again();
    CHECK(asking.state() == SeatState::pairing);
}

TEST_CASE(
    "SlotSeat: an adopted SIM is known but for its quota; one without number is not adopted") {
    SlotSeat it = seat();
    it.adopt({.imei = "3532", .iccid = "8933", .imsi = "20801", .sim = SimId{5}});
    CHECK(it.ready(first));
    CHECK(it.state() == SeatState::known);
    SlotSeat counted = seat(true);
    counted.adopt({.imei = "3532", .iccid = "8933", .imsi = "20801", .sim = SimId{5}});
    CHECK(counted.state() == SeatState::counting);
    CHECK(counted.identified(other_sim));
    SlotSeat unknown = seat();
    unknown.adopt({.imei = "3532", .iccid = "8933", .imsi = "20801"});
    CHECK(unknown.state() == SeatState::unknown);
    CHECK(unknown.occupant().imei.empty());
}

TEST_CASE("SlotSeat: a card that tells no ICCID is known by its IMSI") {
    SlotSeat it = seat();
    (void)it.ready({.imei = "3532", .imsi = "20801"});
    CHECK(it.seen(noon).card == "imsi:20801");
}

TEST_CASE("SlotSeat: its own number is the configured one, or what the SIM says") {
    const NumberPlan plan{.country = "+33", .trunk = "0"};
    CHECK(SlotSeat({.plan = plan}).own_number("").empty());
    CHECK(SlotSeat({.plan = plan}).own_number("0612345678") == "+33612345678");
    CHECK(SlotSeat({.plan = plan}).own_number("12") == "12");
    CHECK(SlotSeat({.number = "+33699999999", .plan = plan}).own_number("0612345678") ==
          "+33699999999");
}

TEST_CASE("SlotSeat: no seat is known before the store has answered all three questions") {
    constexpr std::array states{SeatState::unknown,  SeatState::pairing, SeatState::naming,
                                SeatState::counting, SeatState::known,   SeatState::refused};
    constexpr std::array events{SeatEvent::seen,     SeatEvent::left,  SeatEvent::paired,
                                SeatEvent::refused,  SeatEvent::named, SeatEvent::counted,
                                SeatEvent::outdated, SeatEvent::failed};
    std::size_t rows = 0;
    for (const SeatState from : states) {
        for (const SeatEvent event : events) {
            const auto to = next(line::seat_rules, from, event);
            rows += to ? 1 : 0;
            CAPTURE(static_cast<int>(from));
            CAPTURE(static_cast<int>(event));
            CHECK((to == SeatState::known) ==
                  (from == SeatState::counting && event == SeatEvent::counted));
            CHECK((to == SeatState::refused) ==
                  (from == SeatState::pairing && event == SeatEvent::refused));
            // Each answer is one to the question that was asked last.
            CHECK((!to || event != SeatEvent::paired || from == SeatState::pairing));
            CHECK((!to || event != SeatEvent::named || from == SeatState::naming));
            CHECK((!to || event != SeatEvent::counted || from == SeatState::counting));
            // Whatever it was: another SIM begins again.
            CHECK((event != SeatEvent::seen || to == SeatState::pairing));
        }
    }
    CHECK(rows == line::seat_rules.size());  // no pair is in the table twice
}

TEST_CASE("SlotSeat: what is new in the slot is reported with the policy's word on it") {
    struct Row {
        const char* what;
        ports::SimPolicy policy;
        ports::SlotKnown before;
        bool modem, sim, refused;
    };
    using enum ports::SimPolicy;
    for (const Row& row : {
             Row{"an empty slot", refuse, {}, false, false, false},
             Row{"as before", refuse, {.imei = "3532", .card = "8933"}, false, false, false},
             Row{"another modem", refuse, {.imei = "3599", .card = "8933"}, true, false, false},
             Row{"another SIM, adopted",
                 adopt,
                 {.imei = "3532", .card = "8944"},
                 false,
                 true,
                 false},
             Row{"another SIM, warned of", warn, {.card = "8944"}, false, true, false},
             Row{"another SIM, refused", refuse, {.card = "8944"}, false, true, true},
         }) {
        CAPTURE(row.what);
        SlotSeat it = seat(false, row.policy);
        (void)it.ready(first);
        const auto verdict = it.paired(it.seen(noon), row.before);
        CHECK(verdict.modem_changed == row.modem);
        CHECK(verdict.sim_changed == row.sim);
        CHECK(verdict.is_refused() == row.refused);
        CHECK(verdict.policy == row.policy);
        CHECK(verdict.detail.empty() != row.sim);
        CHECK(it.state() == (row.refused ? SeatState::refused : SeatState::naming));
    }
}
