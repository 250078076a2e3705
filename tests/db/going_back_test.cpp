// What is lost where an earlier copy of the database takes the place of the present one.
#include "db/upkeep/going_back.hpp"

#include "db/engine/connection.hpp"
#include "db/engine/migrate.hpp"
#include "db/upkeep/backup.hpp"
#include "src/sms/self_sms.hpp"
#include "tests/db/store_fixture.hpp"

#include <string>

using namespace smsrack;
using test::StoreFixture;

namespace {

std::filesystem::path database(const StoreFixture& f) {
    return f.folder.file("smsrack.db");
}

std::filesystem::path copied(const StoreFixture& f) {
    const std::filesystem::path copy = f.folder.file("before-migration-13.db");
    REQUIRE(db::backup(database(f), copy, {}));
    return copy;
}

void send(StoreFixture& f, MessageId id, std::uint8_t tp_mr) {
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    REQUIRE(f.end(f.taken(id, *attempt, 0, tp_mr)));
}

void say_stop(StoreFixture& f, const std::string& number) {
    REQUIRE(f.ask(ports::OptOut{number, f.clock.wall()}));
}

}  // namespace

TEST_CASE(
    "loss_of_going_back: each message that came since is counted once, by what became of it") {
    StoreFixture f;
    const MessageId waited = f.accepted();
    (void)f.accepted();  // waits still: nothing is lost of it
    (void)f.sent(1);
    REQUIRE(f.keep(f.inbound("before")));
    say_stop(f, "+33600000001");
    const auto copy = copied(f);
    CHECK(db::loss_of_going_back(database(f), copy)->none());

    send(f, waited, 2);
    (void)f.accepted();
    (void)f.accepted();
    (void)f.sent(3);
    const MessageId failed = f.accepted();
    REQUIRE(f.finish(failed, MessageEvent::cancel));
    REQUIRE(f.keep(f.inbound("since")));
    say_stop(f, "+33600000002");
    const auto loss = db::loss_of_going_back(database(f), copy);
    REQUIRE(loss);
    CHECK(loss->waiting == 2);
    CHECK(loss->sent == 1);
    CHECK(loss->ended == 1);
    CHECK(loss->accepted() == 4);
    CHECK(loss->received == 1);
    CHECK(loss->again == 1);
    CHECK(loss->opt_outs == 1);
    CHECK_FALSE(loss->none());
}

TEST_CASE(
    "loss_of_going_back: what waited and was begun, cancelled or removed since would be sent, and "
    "is counted") {
    StoreFixture f;
    const MessageId begun = f.accepted();
    const MessageId cancelled = f.accepted();
    const MessageId removed = f.accepted();
    (void)f.accepted();  // waits still
    const auto copy = copied(f);
    REQUIRE(f.begin(begun));
    CHECK(db::loss_of_going_back(database(f), copy)->again == 1);
    REQUIRE(f.finish(cancelled, MessageEvent::cancel));
    CHECK(db::loss_of_going_back(database(f), copy)->again == 2);
    f.store.reset();
    auto connection = db::Connection::open(database(f), {});
    REQUIRE(connection);
    (*connection)->script("DELETE FROM messages WHERE id = " + std::to_string(removed.value));
    connection->reset();
    CHECK(db::loss_of_going_back(database(f), copy)->again == 3);
}

TEST_CASE(
    "loss_of_going_back: a part whose message is not whole yet, and a pause, are something to "
    "lose") {
    StoreFixture f;
    const auto copy = copied(f);
    SUBCASE("a part") {
        REQUIRE(f.keep(f.inbound("a", ConcatInfo{.ref = 5, .total = 2, .seq = 1})));
        const auto loss = db::loss_of_going_back(database(f), copy);
        CHECK(loss->received == 1);
        CHECK_FALSE(loss->none());
    }
    SUBCASE("a pause") {
        REQUIRE(f.ask(ports::SetPause{ports::PauseScope::rack, {}, true, f.clock.wall()}));
        const auto loss = db::loss_of_going_back(database(f), copy);
        CHECK(loss->pauses == 1);
        CHECK_FALSE(loss->none());
    }
}

TEST_CASE("loss_of_going_back: the rack's own messages are no loss") {
    StoreFixture f;
    const auto copy = copied(f);
    NewMessage own = f.message("+33600000001", self_sms_text(7));
    own.ref = self_sms_ref(7);
    own.self_sms = true;
    (void)f.accepted(std::move(own));
    CHECK(db::loss_of_going_back(database(f), copy)->none());
}

TEST_CASE("schema_of: also of a database that is newer than this program, with who may use it") {
    StoreFixture f;
    CHECK(db::schema_of(database(f))->version == static_cast<int>(db::migrations().size()));
    f.store.reset();
    {
        auto connection = db::Connection::open(database(f), {});
        REQUIRE(connection);
        (*connection)
            ->script(
                "DROP TABLE IF EXISTS schema_reader; CREATE TABLE schema_reader (one INTEGER "
                "PRIMARY KEY, oldest INTEGER NOT NULL) STRICT; INSERT INTO schema_reader "
                "VALUES (1, 90); PRAGMA user_version = 99");
    }
    const auto newer = db::schema_of(database(f));
    REQUIRE(newer);
    CHECK(newer->version == 99);
    CHECK(newer->oldest_reader == 90);
    CHECK(db::schema_of(f.folder.file("none.db")).error().code == Errc::not_found);
    CHECK(db::loss_of_going_back(database(f), f.folder.file("none.db")).error().code ==
          Errc::not_found);
}
