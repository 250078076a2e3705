#include "tests/db/store_fixture.hpp"

#include <utility>

using namespace smsrack;
using test::StoreFixture;

namespace {

/// What `question` finds, after all that was written before.
template <typename Question>
auto read(StoreFixture& f, Question question) {
    f.run();
    return f.look<ports::RackReader>(std::move(question)).value();
}

}  // namespace

TEST_CASE(
    "rack rows: traffic adds up in its hour, outlives the messages, and ends after two years") {
    StoreFixture f;
    const std::int64_t hour = 500'000;
    f.store->post(ports::CountTraffic{{.hour = hour - 24 * 900, .accepted = 9, .sent = 9}});
    f.store->post(ports::CountTraffic{{.hour = hour, .accepted = 3, .sent = 2}});
    f.store->post(ports::CountTraffic{{.hour = hour, .accepted = 1, .sent = 5}});
    f.store->post(ports::CountTraffic{{.hour = hour + 1, .accepted = 7, .sent = 0}});
    f.run();
    f.reopen();
    const auto all = [](ports::RackReader& reader) { return reader.traffic(0); };
    const auto hours = read(f, all);
    REQUIRE(hours.size() == 2);
    CHECK(hours[0].hour == hour);
    CHECK(hours[0].accepted == 4);
    CHECK(hours[0].sent == 7);
    CHECK(hours[1].accepted == 7);
    const auto later = read(f, [&](ports::RackReader& reader) { return reader.traffic(hour + 1); });
    CHECK(later.size() == 1);
}

TEST_CASE("rack rows: a decision comes back as it was kept, newest first, and is an event") {
    StoreFixture f;
    const ports::KeptDecision kept{.at = f.clock.wall(),
                                   .n = 3,
                                   .x = 1,
                                   .y = 4,
                                   .rules = "1,crash",
                                   .words = "3 -> 4: because",
                                   .line = "m3",
                                   .load = 1.25,
                                   .node_rate = 0.5,
                                   .forecast = 0.75,
                                   .samples = 20,
                                   .counts = {16, 1, 2, 3, 4},
                                   .crashed = 1};
    f.store->post(ports::KeepDecision{{.words = "stays at 3"}});
    f.store->post(ports::KeepDecision{kept});
    f.run();
    f.reopen();
    const auto found = read(f, [](ports::RackReader& reader) { return reader.decisions(10); });
    REQUIRE(found.size() == 2);
    CHECK(found[0].at == kept.at);
    CHECK(found[0].n == 3);
    CHECK(found[0].x == 1);
    CHECK(found[0].y == 4);
    CHECK(found[0].rules == "1,crash");
    CHECK(found[0].words == "3 -> 4: because");
    CHECK(found[0].line == "m3");
    CHECK(found[0].load == 1.25);
    CHECK(found[0].node_rate == 0.5);
    CHECK(found[0].forecast == 0.75);
    CHECK(found[0].counts == kept.counts);
    CHECK(found[0].crashed == 1);
    CHECK(found[1].words == "stays at 3");
    CHECK_FALSE(found[1].forecast);
    CHECK(read(f, [](ports::RackReader& reader) { return reader.decisions(1); }).size() == 1);
}

TEST_CASE("rack rows: a line stays blocked until it is opened") {
    StoreFixture f;
    const auto blocked = [](ports::RackReader& reader) { return reader.blocked_lines(); };
    f.store->post(ports::KeepGate{"m1", true, f.clock.wall()}, {});
    f.store->post(ports::KeepGate{"m0", true, f.clock.wall()}, {});
    f.store->post(ports::KeepGate{"m1", true, f.clock.wall()}, {});
    f.run();
    f.reopen();
    CHECK(read(f, blocked) == std::vector<std::string>{"m0", "m1"});
    f.store->post(ports::KeepGate{"m0", false, f.clock.wall()}, {});
    CHECK(read(f, blocked) == std::vector<std::string>{"m1"});
}
