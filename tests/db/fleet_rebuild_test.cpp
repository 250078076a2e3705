// What a box has to put back into an engine that has forgotten something.
#include "tests/db/fleet_fixture.hpp"

using namespace smsrack;
using namespace std::chrono_literals;
using test::FleetFixture;

namespace {

std::vector<MessageId> put_again(FleetFixture& f) {
    const auto rows =
        f.look<ports::FleetReader>([](ports::FleetReader& r) { return r.put_again({}, 100); });
    std::vector<MessageId> ids;
    for (const ports::FleetRow& row : *rows) {
        ids.push_back(row.id);
    }
    return ids;
}

/// All pages.
struct Marked {
    int pages = 0;
    std::vector<MessageId> settled = {};
    std::vector<MessageId> expired = {};
};

Marked mark(FleetFixture& f, std::size_t limit = 100) {
    Marked all;
    MessageId after = {};
    do {
        ++all.pages;
        auto page =
            f.ask(ports::PutAgain{.after = after, .now = f.clock.wall(), .limit = limit}).value();
        all.settled.insert(all.settled.end(), page.settled.begin(), page.settled.end());
        all.expired.insert(all.expired.end(), page.expired.begin(), page.expired.end());
        after = page.last;
    } while (after != MessageId{});
    return all;
}

void settle(FleetFixture& f, MessageId id) {
    REQUIRE(f.ask(ports::NoteSettled{.messages = {id}}));
}

/// A message that ended here, and whose end the engine knows.
MessageId settled(FleetFixture& f, MessageId id) {
    REQUIRE(f.make_firm(id));
    REQUIRE(f.ask(ports::FinishMessage{
        .message = f.place(id).row, .event = MessageEvent::cancel, .at = f.clock.wall()}));
    settle(f, id);
    REQUIRE(f.stage(id) == FleetStage::settled);
    return id;
}

MessageId own(FleetFixture& f) {
    const MessageId id = f.shared();
    REQUIRE(f.note(id, FleetStage::held));
    return id;
}

MessageId guest(FleetFixture& f, std::int64_t number) {
    const MessageId id = FleetFixture::guest_id(2, number);
    REQUIRE(f.take_in(id) == FleetStage::held);
    return id;
}

}  // namespace

TEST_CASE("fleet rebuild: what has not ended is put again, but what no engine had") {
    FleetFixture f;
    const MessageId here = f.shared();
    const MessageId away = f.shared();
    REQUIRE(f.note(away, FleetStage::away));
    const MessageId firm = f.firm();
    const MessageId held = guest(f, 5);
    CHECK(put_again(f).empty());
    CHECK(mark(f, 2).pages == 3);
    CHECK(put_again(f) == std::vector{away, firm, held});
    CHECK(f.kept_here() == std::vector{here, away, firm, held});
    CHECK(f.stage(firm) == FleetStage::firm);
    f.reopen();
    CHECK(put_again(f).size() == 3);
    REQUIRE(f.note(held, FleetStage::held));
    CHECK(put_again(f) == std::vector{away, firm});
}

TEST_CASE("fleet rebuild: of what has ended that whose end the engine has forgotten") {
    FleetFixture f;
    const MessageId old = settled(f, own(f));
    const MessageId of_other = settled(f, guest(f, 5));
    CHECK(mark(f).settled == std::vector{old, of_other});
    CHECK(mark(f).expired.empty());
    f.clock.advance(24h * 365);
    // A box sends its own no more; of others it does not know.
    CHECK(mark(f).expired == std::vector{old});
    CHECK(put_again(f).empty());
    REQUIRE(f.ask(ports::PutEndsAgain{.messages = {of_other, MessageId{99}}}));
    CHECK(put_again(f) == std::vector{of_other});
    CHECK(f.stage(of_other) == FleetStage::ended);
    CHECK(f.stage(old) == FleetStage::settled);
    REQUIRE(f.note(of_other, FleetStage::firm) == false);
    settle(f, of_other);
    CHECK(put_again(f).empty());
}

TEST_CASE("fleet rebuild: what was begun before an engine answered is not put again") {
    FleetFixture f;
    const MessageId lone = f.shared();
    REQUIRE_FALSE(f.ask(ports::MakeFirm{{lone}, Epoch{}, f.clock.wall()})->empty());
    mark(f);
    CHECK(f.kept_here() == std::vector{lone});
    CHECK(put_again(f).empty());
}

TEST_CASE("fleet rebuild: a box remembers its engine") {
    FleetFixture f;
    const auto engine = [&f] {
        return f.look<ports::FleetReader>([](ports::FleetReader& r) { return r.engine(); }).value();
    };
    CHECK_FALSE(engine());
    REQUIRE(f.ask(ports::KeepEngine{{.engine = {.name = "one", .life = "x"}, .beats = 70}}));
    REQUIRE(f.ask(ports::KeepEngine{{.engine = {.name = "two", .life = "y"}, .beats = 3}}));
    f.reopen();
    REQUIRE(engine());
    CHECK(engine()->engine == ports::EngineId{.name = "two", .life = "y"});
    CHECK(engine()->beats == 3);
}

TEST_CASE("fleet rebuild: what ended before an engine answered, and was put then, is put again") {
    FleetFixture f;
    const MessageId lone = f.shared();
    REQUIRE_FALSE(f.ask(ports::MakeFirm{{lone}, Epoch{}, f.clock.wall()})->empty());
    const auto attempt = f.begin(lone);
    REQUIRE(attempt);
    REQUIRE(f.end(f.taken(lone, *attempt, 0, 5)));
    REQUIRE(f.stage(lone) == FleetStage::ended);
    CHECK_FALSE(f.note(lone, FleetStage::firm));  // the engine has it now
    settle(f, lone);
    REQUIRE(f.ask(ports::PutEndsAgain{.messages = {lone}}));
    CHECK(put_again(f) == std::vector{lone});
}
