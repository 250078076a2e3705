#include "src/dispatch/dispatcher.hpp"

#include "src/dispatch/dispatch_address.hpp"
#include "src/line/modem_line.hpp"
#include "tests/support/error_table.hpp"
#include "tests/support/held_commands.hpp"
#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/manual_executor.hpp"
#include "tests/support/mute_reader.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/scripted_modem.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// A dispatcher without lines, whose first question for due messages was answered: none.
struct Bench {
    test::ManualClock clock;
    GuardedClock guard{clock, 1h};
    test::QuietLog log;
    test::HeldStore store;
    test::ManualExecutor pool;
    test::SeededRandom random{1};
    codec::SendCodec codec{{}, clock, random};
    queue::OutSlots slots;
    SemaphoreWaiter waiter;
    dispatch::DispatchAddress address{waiter};
    stats::Stats stats;
    dispatch::FlowMeter flow{clock};
    line::LineBoard board;
    test::HeldCommands<ports::ControlStore> control;
    dispatch::Dispatcher dispatcher{
        {},
        {store, pool, codec, slots, address, guard, random, test::error_table, stats, flow, board,
         log, &guard, nullptr, &control}};

    explicit Bench(std::size_t places = 1) : slots(places) {
        (void)step();
        answer_due();
    }
    SteadyTime step() { return dispatcher.step(clock.steady()); }
    /// A long message whose first segment a SIM took that no line has now.
    void load_begun(MessageId id) {
        (void)dispatcher.add_group(GroupId{1}, "default", 0);
        OutMessage begun;
        begun.id = id;
        begun.group = GroupId{1};
        begun.attempts = 1;
        begun.pinned_sim = SimId{9};
        begun.segments = {MessageState::sent, MessageState::queued};
        address.due_hint(clock.wall());
        (void)step();
        store.answer<ports::TakeDue>(std::vector{begun});
        (void)step();
    }
    void answer_due() {
        store.answer<ports::TakeDue>(std::vector<OutMessage>{});
        (void)step();
    }
    /// How long its thread would sleep.
    std::chrono::nanoseconds sleeps() { return step() - clock.steady(); }
};

}  // namespace

TEST_CASE("Dispatcher: a message for a far century lets the thread sleep") {
    Bench bench;
    bench.address.due_hint(WallTime(std::chrono::sys_days(std::chrono::year(9999) / 12 / 31)));
    CHECK(bench.sleeps() > 1s);
}

TEST_CASE("Dispatcher: a due message that can't be taken now is no reason to stay awake") {
    SUBCASE("the service ends") {
        Bench bench;
        bench.address.stop_giving();
        bench.address.due_hint(bench.clock.wall() - 1s);
        CHECK(bench.sleeps() > 1s);
        CHECK(bench.store.posted<ports::TakeDue>().empty());
    }
    SUBCASE("no slot is free: only scheduled ones are asked for, which need none") {
        Bench bench;
        (void)bench.dispatcher.add_group(GroupId{1}, "default", 1);
        REQUIRE(bench.slots.take());
        bench.address.due_hint(bench.clock.wall() - 1s);
        CHECK(bench.sleeps() > 1s);
        REQUIRE(bench.store.posted<ports::TakeDue>().size() == 1);
        CHECK(bench.store.posted<ports::TakeDue>()[0].command.wishes.retries.empty());
        CHECK(bench.store.posted<ports::TakeDue>()[0].command.wishes.scheduled > 0);
    }
}

TEST_CASE("Dispatcher: a due message is asked for at its time") {
    Bench bench;
    bench.address.due_hint(bench.clock.wall() + 2s);
    CHECK(bench.sleeps() <= 2s);
    CHECK(bench.store.posted<ports::TakeDue>().empty());
    bench.clock.advance(2s);
    (void)bench.step();
    CHECK(bench.store.posted<ports::TakeDue>().size() == 1);
}

TEST_CASE("Dispatcher: where the store could not say what is due next, it is asked again soon") {
    Bench bench;
    for (auto& job : std::exchange(bench.store.reads, {})) {
        job(fail(Errc::storage, "disk I/O error"));
    }
    (void)bench.step();
    bench.clock.advance(1s);
    (void)bench.step();
    CHECK(bench.store.posted<ports::TakeDue>().size() == 1);
}

namespace {

/// The store's readers, where nothing waits.
struct NothingWaits final : test::MuteReader {
    Result<std::vector<OutMessage>> queued(GroupId, Level, EventSeq, std::size_t) override {
        return std::vector<OutMessage>{};
    }
    Result<std::optional<WallTime>> next_due(WallTime) override { return std::nullopt; }
};

/// A line that is ready with SIM 5, and a message of two segments on its way to it.
struct LineBench : Bench {
    test::ScriptedModem modem;
    line::LineAddress line_address{modem.waiter()};
    std::optional<line::SimQuota> quota;
    std::optional<line::ModemLine> line;

    /// `spent`: the SIM has no recipient left this month, and the message was tried before.
    explicit LineBench(bool spent = false) {
        const ModemId id = board.add("m0", "/dev/null", "default");
        dispatcher.add_group(GroupId{1}, "default", 1);
        if (spent) {
            QuotaLimits limits;
            limits.by_window.at(static_cast<std::size_t>(QuotaWindow::recipients)) = 1;
            quota.emplace(line::SimQuotaSettings{.limits = limits}, clock);
            board.show(id, *quota);
        }
        line::SimQuota* const of_sim = spent ? &*quota : nullptr;
        queue::SendQueue& encoded = dispatcher.add_line(id, 0, line_address, of_sim, std::nullopt);
        line.emplace(line::LineSettings{.id = id, .name = "m0"},
                     line::LineWorld{line_address, modem, store, address, [] {}, encoded, slots,
                                     board, clock, log, random, of_sim});
        modem.says.push_back(ports::ModemReady{{.iccid = "8933"}});
        run();
        store.answer<ports::IdentifySim>(SimId{5});
        run();
        if (spent) {
            store.answer<ports::ReadQuota>(ports::UsedQuota{});
            run();
            (void)quota->count(clock.wall(), line::recipient_hash("+33699999999"));
        }
        address.due_hint(clock.wall());
        run();
        OutMessage message;
        message.id = MessageId{42};
        message.group = GroupId{1};
        message.body.to = "+33612345678";
        message.body.text = std::string(200, 'x');
        message.created_at = clock.wall();
        message.expires_at = clock.wall() + 24h;
        message.attempts = spent ? 1 : 0;
        store.answer<ports::TakeDue>(std::vector{message});
        run();
        run();
    }
    void run() {
        for (int i = 0; i < 3; ++i) {
            line->step(clock.steady());
            (void)step();
            NothingWaits nothing;
            for (auto& job : std::exchange(store.reads, {})) {
                job(&nothing);
            }
            pool.run_all();
        }
    }
    void says(ports::ModemEvent event) {
        modem.says.push_back(std::move(event));
        run();
    }
    /// The attempt that the line asks for begins, and this comes of it.
    void sends(AttemptId attempt, ports::SubmitDone done) {
        REQUIRE(store.posted<ports::BeginAttempt>().size() == 1);
        store.answer<ports::BeginAttempt>(attempt);
        run();
        says(std::move(done));
    }
};

}  // namespace

TEST_CASE(
    "Dispatcher: while the end of a segment insists on the full disk, the next one waits, and is "
    "not lost") {
    LineBench bench;
    bench.sends(AttemptId{7},
                {.outcome = {.kind = OutcomeKind::accepted, .tp_mr = 1, .has_tp_mr = true},
                 .pdu_sent = true});
    REQUIRE(bench.store.posted<ports::EndAttempt>().size() == 1);
    for (int disk_full = 0; disk_full < 3; ++disk_full) {
        CAPTURE(disk_full);
        // the store refuses what comes behind the end
        REQUIRE(bench.store.posted<ports::BeginAttempt>().size() == 1);
        bench.store.answer<ports::BeginAttempt>(fail(Errc::storage, "disk full"));
        bench.run();
        bench.says(ports::SubmitDone{.outcome = {.kind = OutcomeKind::not_sent}});
        CHECK(bench.store.posted<ports::BeginAttempt>().empty());  // sending stops
        bench.clock.advance(1s);
        bench.run();
    }
    CHECK(bench.store.posted<ports::EndAttempt>().size() == 1);  // no second one
    bench.store.answer<ports::EndAttempt>(ports::AttemptApplied{});
    bench.run();
    REQUIRE(bench.store.posted<ports::BeginAttempt>().size() == 1);
    const auto begun = bench.store.answer<ports::BeginAttempt>(AttemptId{8});
    CHECK(begun.message == MessageId{42});
    CHECK(begun.segment == 1);
    bench.run();
    CHECK(bench.modem.told.back() == "release");
}

TEST_CASE("Dispatcher: a line that is held, or does what a person asks, is no lost modem") {
    LineBench bench;
    bench.store.answer<ports::BeginAttempt>(fail(Errc::conflict, "cancelled"));
    bench.run();
    bench.says(ports::SubmitDone{.outcome = {.kind = OutcomeKind::not_sent}});
    const auto losses = [&] { return bench.stats.value(stats::Counter::modem_losses); };
    bench.line_address.hold(true);
    bench.run();
    CHECK(losses() == 0);
    bench.line_address.hold(false);
    bench.run();
    bench.says(ports::ModemNotReady{"registering", "the network is gone"});
    CHECK(losses() == 1);
}

TEST_CASE("Dispatcher: a message that was cancelled before its attempt is let go") {
    LineBench bench;
    REQUIRE(bench.store.posted<ports::BeginAttempt>().size() == 1);
    bench.store.answer<ports::BeginAttempt>(fail(Errc::conflict, "cancelled"));
    bench.run();
    bench.says(ports::SubmitDone{.outcome = {.kind = OutcomeKind::not_sent}});
    bench.clock.advance(2s);
    bench.run();
    CHECK(bench.store.posted<ports::BeginAttempt>().empty());
    CHECK(bench.slots.free() == 1);
}

TEST_CASE("Dispatcher: a message keeps its place until the store has ended it") {
    Bench bench;
    bench.load_begun(MessageId{42});
    CHECK(bench.store.posted<ports::FinishMessage>().empty());
    for (int i = 0; i < 3; ++i) {  // its SIM does not come back, and the end waits for the disk
        bench.clock.advance(31s);
        (void)bench.step();
        REQUIRE(bench.store.posted<ports::FinishMessage>().size() == 1);
        CHECK(bench.slots.free() == 0);
    }
    const auto asked = bench.store.answer<ports::FinishMessage>(MessageState::failed);
    CHECK(asked.message == MessageId{42});
    CHECK(asked.event == MessageEvent::give_up);
    (void)bench.step();
    CHECK(bench.slots.free() == 1);
}

TEST_CASE("Dispatcher: a message in a pause is put off once, and due when the store says so") {
    Bench bench(1'000);
    (void)bench.dispatcher.add_group(GroupId{1}, "default", 1);
    bench.address.pauses_changed({{.scope = ports::PauseScope::rack}});
    bench.address.due_hint(bench.clock.wall());
    (void)bench.step();
    OutMessage tried;
    tried.id = MessageId{42};
    tried.group = GroupId{1};
    tried.expires_at = bench.clock.wall() + 1h;
    tried.attempts = 1;
    REQUIRE(bench.store.posted<ports::TakeDue>().size() == 1);
    bench.store.answer<ports::TakeDue>(std::vector{tried});
    (void)bench.step();
    REQUIRE(bench.control.posted<ports::PutOff>().size() == 1);
    CHECK(bench.control.answer<ports::PutOff>(bench.clock.wall() + 2s).message == MessageId{42});
    CHECK(bench.slots.free() == 1'000);
    CHECK(bench.sleeps() <= 2s);
    bench.clock.advance(2s);
    (void)bench.step();
    CHECK(bench.control.posted<ports::PutOff>().empty());
    CHECK(bench.store.posted<ports::TakeDue>().size() == 1);
}

TEST_CASE("Dispatcher: a message that no SIM takes is set aside") {
    LineBench bench(true);
    REQUIRE(bench.store.posted<ports::RestartMessage>().size() == 1);
    CHECK(bench.store.answer<ports::RestartMessage>({}).message == MessageId{42});
    bench.clock.advance(10s);
    bench.run();
    CHECK(bench.store.posted<ports::RestartMessage>().empty());
    CHECK(bench.store.posted<ports::BeginAttempt>().empty());
}

namespace {

/// The store's readers, with this many attempts whose outcome is unknown for too long.
struct Doubts final : test::MuteReader {
    explicit Doubts(std::size_t how_many) : count(how_many) {}
    Result<std::vector<ports::UncertainAttempt>> uncertain(std::optional<WallTime>,
                                                           std::size_t limit) override {
        ++asked;
        return std::vector<ports::UncertainAttempt>(std::min(count, limit));
    }
    Result<std::optional<WallTime>> next_due(WallTime) override { return std::nullopt; }

    const std::size_t count;
    int asked = 0;
};

}  // namespace

TEST_CASE("Dispatcher: doubts are asked for again when all that was decided is in the store") {
    Bench bench;
    Doubts doubts{1'000};
    const auto run = [&] {
        bench.clock.advance(5s);  // a sweep
        (void)bench.step();
        for (auto& job : std::exchange(bench.store.reads, {})) {
            job(&doubts);
        }
        (void)bench.step();
    };
    run();
    const std::size_t decided = bench.store.posted<ports::EndAttempt>().size();
    CHECK(decided > 1);
    for (int i = 0; i < 3; ++i) {  // the disk is full
        run();
        CHECK(doubts.asked == 1);
    }
    CHECK(bench.store.posted<ports::EndAttempt>().size() == decided);
    for (std::size_t i = 0; i < decided; ++i) {
        bench.store.answer<ports::EndAttempt>(ports::AttemptApplied{});
    }
    (void)bench.step();
    run();
    CHECK(doubts.asked == 2);
}

TEST_CASE("Dispatcher: a level full of retries leaves the others their places") {
    Bench bench(1'000);
    (void)bench.dispatcher.add_group(GroupId{1}, "default", 1);
    const auto wished = [&](Level level) {
        const auto& retries = bench.store.posted<ports::TakeDue>().back().command.wishes.retries;
        const auto found = std::ranges::find(retries, level, &ports::DueWishes::Retries::level);
        return found == retries.end() ? std::size_t{0} : found->limit;
    };
    bench.address.due_hint(bench.clock.wall());
    (void)bench.step();
    REQUIRE(bench.store.posted<ports::TakeDue>().size() == 1);
    const std::size_t room = wished(1);
    REQUIRE(room > 0);
    CHECK(wished(6) == room);
    std::vector<OutMessage> low;
    for (std::size_t i = 0; i < room; ++i) {
        OutMessage& message = low.emplace_back();
        message.id = MessageId{static_cast<std::int64_t>(i + 1)};
        message.level = 1;
        message.group = GroupId{1};
        message.expires_at = bench.clock.wall() + 1h;
        message.attempts = 1;
    }
    bench.store.answer<ports::TakeDue>(std::move(low));
    bench.address.due_hint(bench.clock.wall());
    (void)bench.step();
    REQUIRE(bench.store.posted<ports::TakeDue>().size() == 1);
    CHECK(wished(1) < room);
    CHECK(wished(6) == room);
}

namespace {

/// Has one message that has waited for an hour, of the level below the top.
struct OneIsPromoted final : test::MuteReader {
    explicit OneIsPromoted(WallTime when) : now(when) {}
    Result<std::vector<OutMessage>> queued(GroupId, Level level, EventSeq, std::size_t) override {
        if (level != level_max - 1) {
            return std::vector<OutMessage>{};
        }
        OutMessage message;
        message.id = MessageId{7};
        message.group = GroupId{1};
        message.body.to = "+33612345678";
        message.level = level;
        message.queued_at = now - 1h;
        message.expires_at = now + 1h;
        return std::vector{message};
    }
    Result<std::optional<WallTime>> next_due(WallTime) override { return std::nullopt; }

    const WallTime now;
};

}  // namespace

TEST_CASE("Dispatcher: a promoted message is encoded also while the top level is always read") {
    Bench bench(100);
    (void)bench.dispatcher.add_group(GroupId{1}, "default", 1);
    OneIsPromoted reader(bench.clock.wall());
    (void)bench.step();
    REQUIRE(bench.store.reads.size() >= level_count);
    auto reads = std::exchange(bench.store.reads, {});
    const auto top = reads.end() - static_cast<std::ptrdiff_t>(level_count);  // the highest first
    for (auto read = reads.begin(); read != reads.end(); ++read) {
        if (read != top) {
            (*read)(&reader);
        }
    }
    (void)bench.step();
    std::size_t encoded = 0;
    for (queue::SlotNumber slot = 0; slot < bench.slots.size(); ++slot) {
        encoded += bench.slots[slot].pdus.empty() ? 0 : 1;
    }
    CHECK(encoded == 1);
    (*top)(&reader);
}

namespace {

/// Gives this one of level 0, and keeps from where on it was asked for.
struct OneWaits final : test::MuteReader {
    Result<std::vector<OutMessage>> queued(GroupId, Level level, EventSeq after,
                                           std::size_t) override {
        if (level != 0) {
            return std::vector<OutMessage>{};
        }
        asked_after.push_back(after);
        OutMessage message;
        message.id = MessageId{7};
        message.group = GroupId{1};
        message.queued_by = EventSeq{100};
        message.expires_at = WallTime(std::chrono::sys_days(std::chrono::year(2030) / 1 / 1));
        return std::vector{message};
    }
    Result<std::optional<WallTime>> next_due(WallTime) override { return std::nullopt; }

    std::vector<EventSeq> asked_after;
};

}  // namespace

TEST_CASE(
    "Dispatcher: what a pause held is found, though an answer from before its end comes after it") {
    Bench bench(1'000);
    (void)bench.dispatcher.add_group(GroupId{1}, "default", 1);
    OneWaits waits;
    (void)bench.step();  // asks
    auto before = std::exchange(bench.store.reads, {});
    bench.address.pauses_changed({});
    (void)bench.step();
    for (auto& job : before) {
        job(&waits);
    }
    (void)bench.step();
    for (auto& job : std::exchange(bench.store.reads, {})) {
        job(&waits);
    }
    REQUIRE(waits.asked_after.size() == 2);
    CHECK(waits.asked_after[1] == EventSeq{});
}

TEST_CASE(
    "Dispatcher: what was read during a move of the times is read again when they are moved") {
    Bench bench(1'000);
    (void)bench.dispatcher.add_group(GroupId{1}, "default", 1);
    OneWaits waits;
    const auto answer_reads = [&](auto reads) {
        for (auto& job : reads) {
            job(&waits);
        }
        (void)bench.step();
    };
    (void)bench.step();  // asks
    auto before = std::exchange(bench.store.reads, {});
    bench.clock.set_date(bench.clock.wall() - 3h);
    (void)bench.step();
    REQUIRE(bench.store.posted<ports::MoveTimes>().size() == 1);
    answer_reads(std::move(before));
    answer_reads(std::exchange(bench.store.reads, {}));
    CHECK(waits.asked_after.size() == 1);
    CHECK(bench.slots.free() == 1'000);
    bench.store.answer<ports::MoveTimes>(1);
    (void)bench.step();
    answer_reads(std::exchange(bench.store.reads, {}));
    CHECK(waits.asked_after.size() == 2);
    CHECK(bench.slots.free() == 999);
}

TEST_CASE("Dispatcher: times that the store could not move are moved with the next sweep") {
    Bench bench;
    bench.clock.set_date(bench.clock.wall() + 3h);
    (void)bench.step();
    REQUIRE(bench.store.posted<ports::MoveTimes>().size() == 1);
    bench.store.answer<ports::MoveTimes>(fail(Errc::storage, "disk I/O error"));
    (void)bench.step();
    CHECK(bench.store.posted<ports::MoveTimes>().empty());
    bench.clock.advance(5s);
    (void)bench.step();
    CHECK(bench.store.posted<ports::MoveTimes>().size() == 1);
}

TEST_CASE(
    "Dispatcher: messages that were due and wait for a place when the clock is set are moved with "
    "it") {
    Bench bench;
    (void)bench.dispatcher.add_group(GroupId{1}, "default", 1);
    bench.address.due_hint(bench.clock.wall());
    (void)bench.step();
    REQUIRE(bench.store.posted<ports::TakeDue>().size() == 1);
    OutMessage waits;
    waits.id = MessageId{2};
    waits.group = GroupId{1};
    waits.created_at = bench.clock.wall();
    waits.expires_at = bench.clock.wall() + 1h;
    waits.attempts = 1;
    OutMessage begun = waits;  // has the one place until its SIM is given up
    begun.id = MessageId{1};
    begun.pinned_sim = SimId{9};
    begun.segments = {MessageState::sent, MessageState::queued};
    bench.store.answer<ports::TakeDue>(std::vector{waits, begun});
    (void)bench.step();
    bench.clock.set_date(bench.clock.wall() + 3h);
    (void)bench.step();
    bench.store.answer<ports::MoveTimes>(2);
    (void)bench.step();
    CHECK(bench.store.posted<ports::FinishMessage>().empty());
    bench.clock.advance(31s);
    (void)bench.step();
    REQUIRE(bench.store.posted<ports::FinishMessage>().size() == 1);
    CHECK(bench.store.answer<ports::FinishMessage>(MessageState::failed).message == MessageId{1});
    (void)bench.step();
    CHECK(bench.slots.free() == 0);  // the other has it now
    NothingWaits nothing;            // that would go before it
    for (auto& job : std::exchange(bench.store.reads, {})) {
        job(&nothing);
    }
    (void)bench.step();
    CHECK(bench.store.posted<ports::FinishMessage>().empty());
}
