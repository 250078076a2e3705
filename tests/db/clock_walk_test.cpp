// A correction of the clock moves the rows in steps, and other work comes between them.
#include "db/write/clock_walk.hpp"

#include "db/engine/migrate.hpp"
#include "db/read/pair_queries.hpp"
#include "src/results/report_matcher.hpp"
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using db::Connection;
using test::StoreFixture;

namespace {

constexpr std::size_t waiting = 3 * db::WalkOn::changed_max;

struct Walked : StoreFixture {
    explicit Walked(db::SqliteStoreSettings settings = {}) : StoreFixture(std::move(settings)) {
        for (std::size_t i = 0; i < waiting; ++i) {
            store->post(ports::Accept{message()}, [this](const Result<ports::Accepted>& accepted) {
                REQUIRE(accepted);
                ids.push_back(accepted->id);
            });
        }
        run();
        REQUIRE(ids.size() == waiting);
        created = clock.wall();
        expires = created + 24h;
        clock.advance(1s);
    }

    [[nodiscard]] ports::MoveTimes order(std::chrono::milliseconds by) const {
        return {{.after = created - 1h, .until = clock.wall(), .by = by}};
    }
    /// The clock is set; only the first transaction of the correction is made.
    void set_clock(std::chrono::milliseconds by) {
        bool answered = false;
        store->post(order(by), [&](const Result<std::size_t>& moved) {
            REQUIRE(moved);
            answered = true;
        });
        clock.set_date(clock.wall() + by);
        step();
        REQUIRE(answered);
    }
    void step() { (void)store->writer().step(clock.steady()); }
    /// In one transaction, behind which the walk is not at its end.
    template <typename Command>
    auto ask_once(Command command) {
        std::optional<Result<typename Command::Answer>> answer;
        store->post(std::move(command), [&](auto given) { answer.emplace(std::move(given)); });
        step();
        REQUIRE(answer);
        return *std::move(answer);
    }

    /// What is in doubt, after the clock was set by 48 h: before or after the walk has come to it.
    void send_again(MessageId message, AttemptId attempt) {
        SUBCASE("it is sent again after the walk") {
            run();
            REQUIRE(ask(ports::ResendSegment{message, attempt, clock.wall()}));
        }
        SUBCASE("it is sent again amid the walk") {
            REQUIRE(ask_once(ports::ResendSegment{message, attempt, clock.wall()}));
            run();
        }
        CHECK(detail(message).message.expires_at == expires + 48h);
        CHECK(ask(ports::ExpireOverdue{.now = clock.wall(), .limit = 10}) == 0);
        CHECK(state(message) == MessageState::sending);
    }

    void write(const std::string& sql) const {
        auto opened = Connection::open(folder.file("smsrack.db"), {});
        REQUIRE(opened);
        (*opened)->script(sql);
    }
    [[nodiscard]] std::int64_t number(db::Sql sql) const {
        auto opened = Connection::open(folder.file("smsrack.db"), {});
        REQUIRE(opened);
        return (*opened)->scalar<std::int64_t>(sql, -1);
    }
    [[nodiscard]] std::int64_t dated(WallTime at) const {
        auto opened = Connection::open(folder.file("smsrack.db"), {});
        REQUIRE(opened);
        return (*opened)->scalar<std::int64_t>(
            "SELECT count(*) FROM messages WHERE created_at = ?1 AND expires_at = ?1 + 86400000", 0,
            at);
    }
    [[nodiscard]] std::vector<OutMessage> queued() {
        auto found = look([](ports::StoreReader& reader) {
            return reader.queued(GroupId{1}, message_level, {}, waiting + 10);
        });
        REQUIRE(found);
        return *std::move(found);
    }

    static constexpr Level message_level = NewMessage{}.level;
    std::vector<MessageId> ids = {};
    WallTime created = {};
    WallTime expires = {};
};

}  // namespace

TEST_CASE_FIXTURE(Walked, "clock walk: a step moves a bounded number of messages, each once") {
    for (const auto by : {std::chrono::milliseconds(3h), std::chrono::milliseconds(-3h)}) {
        CAPTURE(by.count());
        const WallTime before = created;
        set_clock(by);
        std::int64_t last = dated(before + by);
        CHECK(last == 0);
        int steps = 0;
        while (number("SELECT count(*) FROM clock_walk") > 0) {
            step();
            const std::int64_t now = dated(before + by);
            CHECK(now - last <= static_cast<std::int64_t>(db::WalkOn::changed_max));
            CHECK(now + dated(before) == static_cast<std::int64_t>(waiting));
            last = now;
            REQUIRE(++steps < 100);
        }
        CHECK(last == static_cast<std::int64_t>(waiting));
        created = before + by;
        clock.advance(1s);
    }
}

TEST_CASE_FIXTURE(Walked,
                  "clock walk: a new message is accepted between two steps, and not moved") {
    set_clock(-30min);  // so that its own date is one that is moved
    step();
    REQUIRE(dated(created) > 0);
    const auto late = message();
    const MessageId id = ask_once(ports::Accept{late}).value().id;
    REQUIRE(number("SELECT count(*) FROM clock_walk") == 1);
    run();
    CHECK(detail(id).message.created_at == late.created_at);
    CHECK(detail(id).message.expires_at == late.expires_at);
    CHECK(dated(created - 30min) == static_cast<std::int64_t>(waiting));
}

TEST_CASE_FIXTURE(Walked,
                  "clock walk: what is read to be sent has right times before its row is moved") {
    set_clock(48h);
    step();
    REQUIRE(dated(created) > 0);
    REQUIRE(dated(created + 48h) > 0);
    const auto read = queued();
    CHECK(read.size() == waiting);
    CHECK(std::ranges::all_of(read, [&](const OutMessage& message) {
        return message.created_at == created + 48h && message.queued_at == created + 48h &&
               message.expires_at == expires + 48h;
    }));
}

TEST_CASE_FIXTURE(Walked,
                  "clock walk: until its end no message expires or falls due by its old time") {
    auto later = message();
    later.not_before = clock.wall() + 1h;
    later.expires_at = clock.wall() + 72h;
    const MessageId scheduled = accepted(later);
    set_clock(48h);
    std::optional<std::size_t> expired;
    store->post(ports::TakeDue{clock.wall(), {.scheduled = 10}});
    store->post(ports::ExpireOverdue{.now = clock.wall(), .limit = 10},
                [&](const Result<std::size_t>& count) { expired = count.value(); });
    step();
    step();  // upkeep: behind a step of the walk
    REQUIRE(number("SELECT count(*) FROM clock_walk") == 1);
    CHECK(expired == 0);
    CHECK(state(scheduled) == MessageState::scheduled);
    const auto next = look([&](ports::StoreReader& r) { return r.next_due(clock.wall()); });
    REQUIRE(next);
    CHECK(*next > clock.wall());  // or it would be asked for without a pause
    run();
    CHECK(ask(ports::ExpireOverdue{.now = clock.wall(), .limit = 10}) == 0);
    (void)take_due();
    CHECK(state(scheduled) == MessageState::queued);  // the client's time has come
}

TEST_CASE_FIXTURE(Walked, "clock walk: one that a command dates in between is not moved again") {
    set_clock(-30min);
    const MessageId oldest = ids.front();
    const auto replaced =
        ask_once(ports::ReplaceMessage{.message = oldest,
                                       .body = {.to = "+33612345678", .text = "other"},
                                       .segments = 1,
                                       .ttl = 2h,
                                       .at = clock.wall()});
    REQUIRE(replaced);
    REQUIRE(number("SELECT count(*) FROM clock_walk") == 1);
    const WallTime until = clock.wall() + 2h;
    CHECK(detail(oldest).message.expires_at == until);
    CHECK(detail(oldest).message.created_at == created - 30min);
    run();
    CHECK(detail(oldest).message.expires_at == until);
    CHECK(detail(oldest).message.created_at == created - 30min);
    CHECK(number("SELECT count(*) FROM clock_walk_ahead") == 0);
}

TEST_CASE_FIXTURE(Walked, "clock walk: one whose outcome is unknown amid it keeps its lifetime") {
    const MessageId oldest = ids.front();
    const auto attempt = begin(oldest);
    REQUIRE(attempt);
    set_clock(48h);
    REQUIRE(ask_once(silent(oldest, *attempt)));
    REQUIRE(number("SELECT count(*) FROM clock_walk") == 1);
    REQUIRE(state(oldest) == MessageState::uncertain);
    send_again(oldest, *attempt);
    CHECK(detail(oldest).message.created_at == created + 48h);
}

TEST_CASE_FIXTURE(Walked, "clock walk: one in doubt before it is moved as what waits") {
    const MessageId oldest = ids.front();
    const auto attempt = begin(oldest);
    REQUIRE(attempt);
    REQUIRE(end(silent(oldest, *attempt)));
    set_clock(48h);
    send_again(oldest, *attempt);
}

TEST_CASE_FIXTURE(Walked, "clock walk: a report finds the message that was sent amid it") {
    const MessageId oldest = ids.front();
    rules.choose_report = results::choose_report;
    reopen();
    const auto attempt = begin(oldest);
    REQUIRE(attempt);
    SUBCASE("it was in doubt before") {
        REQUIRE(ask_once(silent(oldest, *attempt)));
    }
    SUBCASE("it was on a line") {}
    set_clock(std::chrono::days(10));  // a report comes 7 days after the lifetime at the latest
    REQUIRE(ask_once(taken(oldest, *attempt, 0, 5)));
    REQUIRE(number("SELECT count(*) FROM clock_walk") == 1);
    REQUIRE(state(oldest) == MessageState::sent);
    run();
    const auto kept = keep(report(5));
    REQUIRE(kept);
    CHECK(kept->matched);
    CHECK(state(oldest) == MessageState::delivered);
}

TEST_CASE(
    "clock walk: the duplicate window and a recipient's limits count what it has not reached yet") {
    Walked f({.duplicate_window = 1h});
    const std::string number = "+33698765432";
    f.clock.set_date(f.created);
    auto first = f.message(number);
    first.text_hash = 99;
    first.check_duplicate = true;
    const MessageId id = f.accepted(first);
    for (std::size_t i = 0; i < 2 * db::WalkOn::changed_max; ++i) {  // the walk comes to it late
        (void)f.accepted();
    }
    f.clock.advance(1s);
    f.set_clock(3h);
    auto next = f.message(number);
    next.text_hash = 99;
    const auto is_moved = [&] { return f.detail(id).message.created_at != first.created_at; };
    SUBCASE("the same text") {
        next.check_duplicate = true;
        const auto answer = f.ask_once(ports::Accept{next});
        REQUIRE_FALSE(answer);
        CHECK(answer.error().code == Errc::duplicate);
    }
    SUBCASE("one in an hour") {
        next.limits.per_hour = 1;
        const auto answer = f.ask_once(ports::Accept{next});
        REQUIRE_FALSE(answer);
        CHECK(answer.error().code == Errc::forbidden);
    }
    CHECK_FALSE(is_moved());
    f.run();
    CHECK(is_moved());
}

TEST_CASE_FIXTURE(Walked, "clock walk: it ends at the oldest that waits, or whose pair it moves") {
    constexpr std::size_t ended = waiting - 600;
    for (std::size_t i = 0; i < ended; ++i) {
        store->post(ports::CancelMessage{.message = ids[i], .at = clock.wall()},
                    [](const Result<MessageState>& state) { REQUIRE(state); });
    }
    run();
    const std::string begin_of_time = std::to_string((created - 1h).time_since_epoch().count());
    std::size_t oldest = ended;
    std::int64_t claimed = -1;
    SUBCASE("no message has a pair") {}
    SUBCASE("one that has ended has one, and older ones are of another time") {
        oldest = 50;
        claimed = db::seconds_of(created + 48h);
        const std::string old = std::to_string(ids[oldest].value);
        const std::string of_pair = std::to_string(ids[100].value);
        write("UPDATE messages SET created_at = " + begin_of_time + " WHERE id < " + old);
        write("UPDATE messages SET topic = 9 WHERE id = " + of_pair);
        write("INSERT INTO trigger_pairs VALUES (9, 33612345678, " +
              std::to_string(db::seconds_of(created)) + ", 2, " + of_pair + ")");
    }
    set_clock(48h);
    std::int64_t last = 0;
    for (int steps = 0; number("SELECT count(*) FROM clock_walk") > 0; ++steps) {
        REQUIRE(steps < 100);
        last = number("SELECT next FROM clock_walk");
        step();
    }
    CHECK(last == ids[oldest].value);
    CHECK(dated(created + 48h) == 600);
    CHECK(number("SELECT claimed_at FROM trigger_pairs") == claimed);
}

TEST_CASE_FIXTURE(Walked, "clock walk: the next process continues one that a stop has cut off") {
    set_clock(3h);
    step();
    const std::int64_t moved = dated(created + 3h);
    REQUIRE(moved > 0);
    reopen();
    REQUIRE(number("SELECT count(*) FROM clock_walk") == 1);
    CHECK(dated(created) > 0);
    const auto read = queued();
    CHECK(std::ranges::all_of(
        read, [&](const OutMessage& message) { return message.expires_at == expires + 3h; }));
    run();
    CHECK(dated(created + 3h) == static_cast<std::int64_t>(waiting));
    CHECK(number("SELECT count(*) FROM clock_walk") == 0);
}

TEST_CASE_FIXTURE(Walked, "clock walk: the clock is set again before the end") {
    set_clock(3h);
    step();
    clock.advance(1s);
    const auto fresh = message();
    const MessageId between = ask_once(ports::Accept{fresh}).value().id;
    store->post(ports::MoveTimes{{.after = created + 2h, .until = clock.wall(), .by = -1h}},
                [](const Result<std::size_t>& moved) { CHECK(moved); });
    clock.set_date(clock.wall() - 1h);
    run();
    CHECK(dated(created + 2h) == static_cast<std::int64_t>(waiting));
    CHECK(detail(between).message.created_at == fresh.created_at - 1h);
}

TEST_CASE_FIXTURE(Walked, "clock walk: an earlier release opens a store amid one") {
    set_clock(3h);
    REQUIRE(number("SELECT count(*) FROM clock_walk") == 1);
    store.reset();
    auto opened = Connection::open(folder.file("smsrack.db"), {});
    REQUIRE(opened);
    const auto earlier = db::migrations().first(24);
    CHECK(db::known_version(**opened, earlier) == static_cast<int>(db::migrations().size()));
    opened->reset();
    open();
    run();
    CHECK(dated(created + 3h) == static_cast<std::int64_t>(waiting));
}

TEST_CASE("clock walk: version 25 begins without one") {
    const test::TempFolder folder;
    auto opened = Connection::open(folder.file("x.db"), {.may_create = true});
    REQUIRE(opened);
    REQUIRE(db::migrate(**opened, db::migrations().first(24)));
    (*opened)->script(
        "INSERT INTO messages (id, state, level, grp, segments, flags, waiting, to_addr, body, "
        "fingerprint, created_at, expires_at, updated_at) VALUES (1, 1, 3, 1, 1, 0, 1, '1', 'x', "
        "0, 5, 9, 5)");
    REQUIRE(db::migrate(**opened, db::migrations()));
    CHECK_FALSE(db::is_walking(**opened));
    CHECK((*opened)->scalar<int>("SELECT oldest FROM schema_reader", 0) == db::readable_from);
    CHECK((*opened)->scalar<int>("SELECT created_at FROM messages", 0) == 5);
}
