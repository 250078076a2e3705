#include "db/upkeep/check.hpp"
#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

NewMessage message_of(const StoreFixture& f, const char* group, Level level,
                      std::uint8_t segments = 1) {
    NewMessage message = f.message();
    message.group = group;
    message.level = level;
    message.segments = segments;
    return message;
}

}  // namespace

TEST_CASE("store: the work of a group is the segments that are queued or sending, by level") {
    StoreFixture f;
    const GroupId red = *f.store->group_id("red");
    const GroupId blue = *f.store->group_id("blue");
    const auto red_3 = [&] { return f.store->work(red).at(3); };
    struct Step {
        const char* so;
        std::function<void()> happens;
        std::int64_t work;
    };
    MessageId one{};
    MessageId three{};
    AttemptId attempt{};
    for (const Step& step : std::vector<Step>{
             {"nothing", [] {}, 0},
             {"one is accepted", [&] { one = f.accepted(message_of(f, "red", 3)); }, 1},
             {"one of three segments", [&] { three = f.accepted(message_of(f, "red", 3, 3)); }, 4},
             {"another level", [&] { f.accepted(message_of(f, "red", 6)); }, 4},
             {"another group", [&] { f.accepted(message_of(f, "blue", 3)); }, 4},
             {"a line has it in flight", [&] { attempt = *f.begin(one); }, 4},
             {"it must be tried again", [&] { REQUIRE(f.end(f.refused(one, attempt))); }, 4},
             {"it comes back",
              [&] {
                  f.clock.advance(std::chrono::seconds(6));
                  (void)f.take_due();
              },
              4},
             {"once more in flight", [&] { attempt = *f.begin(one); }, 4},
             {"the network took it", [&] { REQUIRE(f.end(f.taken(one, attempt, 0, 7))); }, 3},
             {"the long one is in flight", [&] { attempt = *f.begin(three, 0, 3); }, 3},
             {"and in doubt", [&] { REQUIRE(f.end(f.silent(three, attempt))); }, 0},
         }) {
        CAPTURE(step.so);
        step.happens();
        CHECK(red_3() == step.work);
        CHECK(f.store->work(blue).at(6) == 0);
    }
    CHECK(f.store->work(red).at(6) == 1);
    CHECK(f.store->work(blue).at(3) == 1);
    CHECK(f.store->work(GroupId{99}) == ports::LevelCounts{});
}

TEST_CASE("store: what is scheduled is no work before its time, what is cancelled none any more") {
    StoreFixture f;
    const GroupId group = *f.store->group_id("default");
    NewMessage later = f.message();
    later.not_before = f.clock.wall() + std::chrono::hours(1);
    f.accepted(later);
    const MessageId cancelled = f.accepted();
    CHECK(f.store->work(group).at(3) == 1);
    REQUIRE(f.finish(cancelled, MessageEvent::cancel));
    CHECK(f.store->work(group).at(3) == 0);
    f.clock.advance(std::chrono::hours(2));
    (void)f.take_due();
    CHECK(f.store->work(group).at(3) == 1);
}

TEST_CASE("store: the work of a paused or cancelled batch delays no message, over a restart too") {
    StoreFixture f;
    const GroupId group = *f.store->group_id("default");
    const auto work = [&] { return f.store->work(group).at(3); };
    const auto accept = [&](const char* batch) {
        NewMessage message = message_of(f, "default", 3, 2);
        message.batch = batch;
        return f.accepted(message);
    };
    const auto pause = [&](bool begin) {
        const auto scope = ports::PauseScope::batch;
        REQUIRE(f.ask(ports::SetPause{scope, "spring", begin, f.clock.wall()}));
    };
    const MessageId first = accept("spring");
    (void)accept("spring");
    (void)accept("other");
    (void)accept("");
    CHECK(work() == 8);
    pause(true);
    CHECK(work() == 4);
    (void)accept("spring");
    CHECK(work() == 4);
    REQUIRE(f.finish(first, MessageEvent::cancel));
    CHECK(work() == 4);
    f.reopen();
    CHECK(work() == 4);
    pause(false);
    CHECK(work() == 8);
    REQUIRE(f.ask(ports::CancelBatch{"spring", f.clock.wall()}));
    CHECK(work() == 4);
    REQUIRE(f.ask(ports::CancelSome{f.clock.wall(), 100}));
    CHECK(work() == 4);
    f.store.reset();
    const auto report = db::check(f.folder.file("smsrack.db"));
    REQUIRE(report);
    CHECK(report->problems.empty());
}

TEST_CASE("store: the work is known again after a restart, without counting rows") {
    StoreFixture f;
    f.accepted(message_of(f, "default", 2, 5));
    const MessageId begun = f.accepted(message_of(f, "default", 4));
    REQUIRE(f.begin(begun));
    f.reopen();  // the open attempt becomes a doubt, which is no work
    const GroupId group = *f.store->group_id("default");
    CHECK(f.store->work(group).at(2) == 5);
    CHECK(f.store->work(group).at(4) == 0);
    f.store.reset();
    const auto report = db::check(f.folder.file("smsrack.db"));
    REQUIRE(report);
    CHECK(report->problems.empty());
}

TEST_CASE("store: of a message that is not admitted only the answer to its ref is given") {
    StoreFixture f;
    NewMessage first = f.message();
    first.ref = "order-1";
    const MessageId id = f.accepted(first);
    const GroupId group = *f.store->group_id("default");

    NewMessage again = first;
    again.admitted = false;
    const auto repeated = f.accept(again);
    REQUIRE(repeated);
    CHECK(repeated->id == id);
    CHECK(repeated->repeated);

    NewMessage other = f.message();
    other.ref = "order-2";
    other.admitted = false;
    const auto refused = f.accept(other);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::overloaded);
    CHECK(f.store->work(group).at(3) == 1);
    CHECK(f.count(MessageState::queued) == 1);
    other.admitted = true;
    CHECK(f.accept(other));  // its ref was not used up
}
