// What boxes tell each other of a SIM's use: it comes back as it was, by the reader's clock.
#include "src/cluster/sim_form.hpp"

#include "src/base/time_zone.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1} + 12h};

SimUsage used() {
    SimUsage usage;
    for (const auto at : {start, start + 30s, start + 20min}) {
        usage.turn(at, TimeZone{}.span_of(at));
        usage.count(2, false);
    }
    return usage;
}

}  // namespace

TEST_CASE("SIM form: each window comes back as it was") {
    const SimUsage usage = used();
    SimUsage back = cluster::part_of(cluster::form_of(usage), 0s, start + 1h).value().usage;
    back.turn(start + 20min, TimeZone{}.span_of(start));
    CHECK(cluster::form_of(back) == cluster::form_of(usage));
    CHECK(back.used(QuotaWindow::minute) == 2);
    CHECK(back.used(QuotaWindow::hour) == 6);
    CHECK(back.used(QuotaWindow::day) == 6);
    CHECK(back.used(QuotaWindow::month) == 6);
    CHECK(
        cluster::form_of(cluster::part_of(cluster::form_of(SimUsage{}), 0s, start).value().usage) ==
        cluster::form_of(SimUsage{}));
}

TEST_CASE("SIM form: a reader whose clock is ahead counts it as recent as it was, and no less") {
    for (const auto later : {2h + 300ms, -2h - 300ms}) {
        CAPTURE(later.count());
        const WallTime now = start + 20min + later;
        SimUsage back = cluster::part_of(cluster::form_of(used()), later, now).value().usage;
        back.turn(now + 59s, TimeZone{}.span_of(start));
        CHECK(back.used(QuotaWindow::minute) == 2);
        CHECK(back.used(QuotaWindow::hour) == 6);
        back.turn(now + 44min, TimeZone{}.span_of(start));
        CHECK(back.used(QuotaWindow::minute) == 0);
        CHECK(back.used(QuotaWindow::hour) == 2);
    }
}

TEST_CASE("SIM form: what this box keeps of the others comes back, with the recipients") {
    const ports::SimShare share{.others = {{.usage = used(), .lead = -90min}, {}},
                                .recipients = {{24'314, {1, ~std::uint64_t{0}}}, {24'315, {7}}}};
    const auto back = cluster::share_of(cluster::form_of(share)).value();
    CHECK(back.recipients == share.recipients);
    CHECK(cluster::form_of(back) == cluster::form_of(share));
}

TEST_CASE("SIM form: where the clock of the other box is not known, all of it was just now") {
    const WallTime now = start + 48h;
    SimUsage back = cluster::part_of(cluster::form_of(used()), {}, now).value().usage;
    back.turn(now, TimeZone{}.span_of(start));
    CHECK(back.used(QuotaWindow::minute) == 2);  // of what the other box had in its last one
    CHECK(back.used(QuotaWindow::hour) == 6);
}

TEST_CASE("SIM form: strange words are refused, and unknown ones ignored") {
    for (const char* const form : {"", "[]", "{\"minute\": 5}", "{\"day\": \"x\"}"}) {
        CAPTURE(form);
        CHECK_FALSE(cluster::part_of(form, 0s, start));
        CHECK_FALSE(cluster::share_of(form));
    }
    CHECK(cluster::part_of(R"({"later": 1, "minute": [5]})", 0s, start)
              ->usage.used(QuotaWindow::minute) == 0);
}
