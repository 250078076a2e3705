// The states of one line, out of the log of all events.
#include "db/engine/connection.hpp"
#include "tests/db/store_fixture.hpp"

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

void keep_state(StoreFixture& f, const std::string& line, const std::string& state) {
    f.store->post(ports::KeepEvent{
        {.at = f.clock.wall(), .type = EventType::modem_state, .modem = line, .detail = state}});
    f.run();
    f.clock.advance(1min);
}

ports::FoundLineStates states(StoreFixture& f, const ports::LineStatesFilter& filter) {
    return f
        .look<ports::RackReader>(
            [&](ports::RackReader& reader) { return reader.line_states(filter); })
        .value();
}

std::vector<std::string> words(const ports::FoundLineStates& found) {
    std::vector<std::string> all;
    for (const ports::LineState& row : found.rows) {
        all.push_back(row.state);
    }
    return all;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("line states: those of one line, newest first, page by page, within its times") {
    StoreFixture f;
    CHECK(states(f, {.line = "m0"}).rows.empty());
    CHECK(states(f, {.line = "m0"}).next == EventSeq{});
    const WallTime begin = f.clock.wall();
    keep_state(f, "m0", "active");
    keep_state(f, "m1", "active");
    f.sent(1);
    keep_state(f, "m0", "pending");
    keep_state(f, "m0", "stop");
    f.reopen();
    const auto all = states(f, {.line = "m0"});
    CHECK(words(all) == Words{"stop", "pending", "active"});
    CHECK(all.next == EventSeq{});
    CHECK(all.rows[2].at == begin);
    const auto first = states(f, {.line = "m0", .limit = 2});
    CHECK(words(first) == Words{"stop", "pending"});
    CHECK(first.next == all.rows[1].seq);
    const auto rest = states(f, {.line = "m0", .before = first.next, .limit = 2});
    CHECK(words(rest) == Words{"active"});
    CHECK(rest.next == EventSeq{});
    CHECK(words(states(f, {.line = "m0", .since = begin + 1min})) == Words{"stop", "pending"});
    CHECK(words(states(f, {.line = "m0", .until = begin + 1min})) == Words{"active"});
    CHECK(words(states(f, {.line = "m1"})) == Words{"active"});
    CHECK(states(f, {.line = "m7"}).rows.empty());
}

TEST_CASE("line states: a page looks at a bounded part of the log, and the next one continues") {
    StoreFixture f;
    keep_state(f, "m0", "active");
    // As after many messages: each takes numbers of the one sequence.
    f.store.reset();
    {
        auto file = db::Connection::open(f.folder.file("smsrack.db"), {});
        REQUIRE(file);
        (*file)->run("UPDATE head SET sequence = sequence + 250000");
    }
    f.open();
    keep_state(f, "m1", "active");
    const auto first = states(f, {.line = "m0"});
    CHECK(first.rows.empty());
    REQUIRE(first.next != EventSeq{});
    const auto second = states(f, {.line = "m0", .before = first.next});
    CHECK(words(second) == Words{"active"});
    CHECK(second.next == EventSeq{});
}
