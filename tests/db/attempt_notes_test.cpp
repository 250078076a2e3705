#include "db/engine/connection.hpp"
#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

ports::AttemptNote note(ports::NoteKind kind, std::string text) {
    return {.kind = kind, .text = std::move(text)};
}

}  // namespace

TEST_CASE("notes: an attempt is read with its notes, oldest first, and no other's") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto first = f.begin(id);
    REQUIRE(f.end(f.refused(id, *first)));
    f.clock.advance(std::chrono::seconds(5));
    const auto second = f.begin(id);
    f.store->post(ports::NoteAttempt{*first, {.at = f.clock.wall(), .text = "> AT+CMGS=19"}});
    f.store->post(ports::NoteAttempt{*first, note(ports::NoteKind::diagnosis, "SIM: READY")});
    f.run();
    const auto detail = f.detail(id);
    REQUIRE(detail.attempts.size() == 2);
    CHECK(detail.attempts[1].notes.empty());
    const auto& notes = detail.attempts[0].notes;
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].kind == ports::NoteKind::dialogue);
    CHECK(notes[0].text == "> AT+CMGS=19");
    CHECK(notes[0].at == f.clock.wall());
    CHECK(notes[1].kind == ports::NoteKind::diagnosis);
    CHECK(second.has_value());
}

TEST_CASE("notes: an attempt keeps a bounded number of notes, each of bounded length") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    f.store->post(ports::NoteAttempt{
        *attempt,
        note(ports::NoteKind::dialogue, "begin" + std::string(ports::note_octets_max, 'x'))});
    for (std::size_t i = 0; i < ports::notes_max; ++i) {
        f.store->post(ports::NoteAttempt{*attempt, note(ports::NoteKind::dialogue, "more")});
    }
    f.run();
    const auto notes = f.detail(id).attempts.at(0).notes;
    REQUIRE(notes.size() == ports::notes_max);
    CHECK(notes[0].text == std::string(ports::note_octets_max, 'x'));
}

TEST_CASE("notes: one of an attempt that is not there is dropped") {
    StoreFixture f;
    f.store->post(
        ports::NoteAttempt{AttemptId{4'711}, note(ports::NoteKind::dialogue, "nobody's")});
    f.run();
    f.store.reset();
    const auto db = db::Connection::open(f.folder.file("smsrack.db"), {.read_only = true});
    REQUIRE(db);
    CHECK((*db)->scalar<int>("SELECT count(*) FROM attempt_notes", -1) == 0);
}
