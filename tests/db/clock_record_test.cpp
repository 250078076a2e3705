#include "db/upkeep/clock_record.hpp"

#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <optional>

using namespace smsrack;
using namespace std::chrono_literals;
using db::Connection;
using test::StoreFixture;

namespace {

/// A store whose processes have the guarded clock, as the service has.
struct Rig {
    StoreFixture f{{.boot = "one"}, StoreFixture::Begin::closed};
    std::optional<GuardedClock> guard = {};

    Rig() { start(); }
    /// In the boot of this name; another process of the same boot if it is the same.
    void start(const std::string& boot = "one") {
        guard.emplace(f.clock, 1h);
        f.guard = &*guard;
        f.reopen_after(boot);
    }
    [[nodiscard]] std::optional<Reckoning> kept(const std::string& boot = "one") const {
        const auto connection = database();
        return db::reckoning_of(*connection, boot);
    }
    [[nodiscard]] std::unique_ptr<Connection> database() const {
        auto opened = Connection::open(f.folder.file("smsrack.db"), {});
        REQUIRE(opened);
        return *std::move(opened);
    }
    /// What the dispatcher does with a clock that was set.
    void correct() {
        const auto move = guard->correction();
        REQUIRE(move);
        guard->believe(*move);
        REQUIRE(f.ask(ports::MoveTimes{*move}));
    }
};

}  // namespace

TEST_CASE("clock record: comes with the first rows, and is valid for its boot only") {
    Rig rig;
    CHECK_FALSE(rig.kept());
    (void)rig.f.take_due();  // writes nothing
    CHECK_FALSE(rig.kept());
    (void)rig.f.accepted();
    REQUIRE(rig.kept());
    CHECK(*rig.kept() == rig.guard->reckoning());
    CHECK_FALSE(rig.kept("two"));
    CHECK_FALSE(rig.kept(""));

    rig.f.clock.set_date(rig.f.clock.wall() + 3h);
    rig.start("two");
    CHECK_FALSE(rig.guard->correction());
    (void)rig.f.accepted();
    CHECK_FALSE(rig.kept());
    CHECK(*rig.kept("two") == rig.guard->reckoning());
}

TEST_CASE("clock record: a kill before the move was stored, and the next process makes it") {
    Rig rig;
    const MessageId id = rig.f.accepted();
    const WallTime created = rig.f.detail(id).message.created_at;
    rig.f.clock.set_date(rig.f.clock.wall() + 3h);
    rig.start();
    rig.correct();
    CHECK(rig.f.detail(id).message.created_at == created + 3h);
    CHECK(*rig.kept() == rig.guard->reckoning());
    rig.start();
    CHECK_FALSE(rig.guard->correction());
}

TEST_CASE("clock record: a move that a full disk refused is not in it") {
    Rig rig;
    (void)rig.f.accepted();
    const auto before = rig.kept();
    rig.f.clock.set_date(rig.f.clock.wall() - 3h);
    const auto move = rig.guard->correction();
    REQUIRE(move);
    rig.guard->believe(*move);
    std::optional<bool> moved;
    {
        const test::SmallDisk disk(std::filesystem::file_size(rig.f.folder.file("smsrack.db-wal")));
        rig.f.store->post(ports::MoveTimes{*move},
                          [&](const Result<std::size_t>& answer) { moved = answer.has_value(); });
        rig.f.store->writer().step(rig.f.clock.steady());
        CHECK(rig.kept() == before);
    }
    rig.f.clock.advance(1s);
    rig.f.run();
    REQUIRE(moved == true);
    CHECK(*rig.kept() == rig.guard->reckoning());
    CHECK(*rig.kept() == before->moved(-3h));
}

TEST_CASE("clock record: small steps that are followed are in it with the next rows") {
    Rig rig;
    (void)rig.f.accepted();
    const auto before = rig.kept();
    for (int i = 0; i < 5; ++i) {
        rig.f.clock.set_date(rig.f.clock.wall() + 300ms);
        CHECK(rig.guard->wall() == rig.f.clock.wall());
    }
    CHECK(rig.kept() == before);
    (void)rig.f.accepted();
    CHECK(rig.kept()->offset > before->offset + 1'400ms);
    CHECK(*rig.kept() == rig.guard->reckoning());
    rig.start();
    CHECK_FALSE(rig.guard->correction());
}

TEST_CASE("clock record: a clock that is not trusted is in it, until it is set") {
    Rig rig;
    (void)rig.f.accepted();
    const WallTime newest = rig.f.clock.wall();
    rig.f.clock.set_date(WallTime{});
    rig.start("two");
    REQUIRE(rig.guard->waits());
    (void)rig.f.accepted();
    CHECK(rig.kept("two")->waits);
    rig.f.clock.advance(10min);
    rig.start("two");
    CHECK(rig.guard->waits());
    CHECK(rig.guard->wall() == newest + 10min + 1ms);
    rig.f.clock.set_date(newest + 3h);
    rig.correct();
    CHECK_FALSE(rig.kept("two")->waits);
    CHECK(*rig.kept("two") == rig.guard->reckoning());
}

TEST_CASE("clock record: an earlier release that moves the times makes it invalid") {
    Rig rig;
    (void)rig.f.accepted();
    REQUIRE(rig.kept());
    rig.f.store.reset();
    rig.database()->script(
        "INSERT OR REPLACE INTO clock_set (one, at, message, attempt, event, inbox) VALUES (1, 5, "
        "0, 0, 0, 0)");
    CHECK_FALSE(rig.kept());
    rig.start();
    (void)rig.f.accepted();
    CHECK(*rig.kept() == rig.guard->reckoning());
}
