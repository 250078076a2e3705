#include "src/line/line_report.hpp"

#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

struct Bench {
    test::ManualClock clock;
    test::QuietLog log;
    test::HeldStore store;
    line::LineBoard board;
    line::LineReport report{
        board.add("m0", "/dev/null", "default"), "m0", board, store, clock, log};

    [[nodiscard]] ports::LineView view() const { return board.lines().front(); }
    /// What the event log got since the last call.
    [[nodiscard]] std::vector<std::string> events() {
        std::vector<std::string> details;
        for (const Event& event : std::exchange(store.events, {})) {
            CHECK(event.modem == "m0");
            CHECK(event.at == clock.wall());
            details.push_back(event.detail);
        }
        return details;
    }
};

using Events = std::vector<std::string>;

}  // namespace

TEST_CASE("LineReport: a link that is lost, stopped and ready again is shown and kept") {
    Bench bench;
    bench.report.lost({"no_answer", "the modem does not answer"}, false);
    CHECK(bench.view().link == ports::LinkState::pending);
    CHECK(bench.view().reason == "no_answer");
    CHECK(bench.view().detail == "the modem does not answer");
    bench.report.stopped();
    CHECK(bench.view().link == ports::LinkState::stop);
    bench.report.ready(12s);
    CHECK(bench.view().link == ports::LinkState::active);
    CHECK(bench.view().woke_in == 12s);
    CHECK(bench.events() == Events{"no_answer", "stop", "active"});
    bench.report.store_failed({.code = Errc::storage});
    CHECK(bench.view().reason == "storage");
    CHECK(bench.events().empty());
}

TEST_CASE("LineReport: a line that was ready in the process before is no news, once") {
    Bench bench;
    bench.report.adopt(false, true);
    bench.report.ready({});
    CHECK(bench.view().link == ports::LinkState::active);
    CHECK(bench.events().empty());
    bench.report.ready({});
    CHECK(bench.events() == Events{"active"});
}

TEST_CASE(
    "LineReport: a SIM that is nearly full is an alarm once until it was emptied, in the next "
    "process too") {
    Bench bench;
    bench.report.sim_storage({39, 50});
    CHECK(bench.events().empty());
    bench.report.sim_storage({40, 50});
    CHECK(bench.events() == Events{"sim_nearly_full"});
    CHECK(bench.report.sim_nearly_full());

    Bench next;
    next.report.adopt(bench.report.sim_nearly_full(), false);
    next.report.sim_storage({45, 50});
    CHECK(next.events().empty());
    next.report.sim_storage({34, 50});
    next.report.sim_storage({40, 50});
    CHECK(next.events() == Events{"sim_nearly_full"});
    CHECK(next.view().sim_used == 40);
}

TEST_CASE(
    "LineReport: another modem and another SIM are reported, but not a SIM that the policy "
    "adopts") {
    struct Row {
        line::SlotVerdict verdict;
        Events events;
        std::uint64_t sims;
    };
    using enum ports::SimPolicy;
    for (const Row& row : {
             Row{{}, {}, 0},
             Row{{.modem_changed = true}, {"modem_changed"}, 0},
             Row{{.sim_changed = true, .policy = warn}, {"sim_changed"}, 1},
             Row{{.sim_changed = true, .policy = adopt}, {}, 1},
         }) {
        Bench bench;
        bench.report.seat({}, {}, row.verdict);
        CHECK(bench.events() == row.events);
        CHECK(bench.view().incidents.at(static_cast<std::size_t>(ports::Incident::sim_changed)) ==
              row.sims);
    }
}

TEST_CASE("LineReport: a quota is named by its window, nearly and wholly spent") {
    Bench bench;
    bench.report.quota({.window = QuotaWindow::day, .spent = false});
    bench.report.quota({.window = QuotaWindow::month, .spent = true});
    CHECK(bench.events() == Events{"quota_day_nearly_spent", "quota_month_spent"});
}
