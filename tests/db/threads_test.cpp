#include "db/upkeep/check.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "src/base/worker.hpp"
#include "tests/db/store_fixture.hpp"

#include <latch>
#include <mutex>
#include <thread>

using namespace smsrack;

namespace {

/// Checks the order of the log on the writing thread.
struct OrderedEvents final : ports::StoreListener {
    void committed(std::span<const Event> events, std::span<const ports::InboxRow>) override {
        for (const Event& event : events) {
            in_order = in_order && event.seq > last;
            last = event.seq;
        }
    }
    void work_waits(GroupId, Level) override {}
    EventSeq last = {};
    bool in_order = true;
};

}  // namespace

TEST_CASE("store: senders, lines and readers on threads of their own") {
    constexpr int senders = 4;
    constexpr int messages_each = 500;
    const test::TempFolder folder;
    host::SystemClock clock;
    test::QuietLog log;
    test::InlineExecutor inline_readers;  // each reads on its own thread
    SemaphoreWaiter waiter;
    OrderedEvents events;
    const ports::StoreRules rules{.errors = &test::error_table,
                                  .choose_report = test::choose_by_number,
                                  .judge_segment = results::judge_segment,
                                  .judge_report = results::judge_report,
                                  .choose_assembly = results::choose_assembly,
                                  .join_segments = test::join_plainly};
    auto opened = db::SqliteStore::open({.path = folder.file("smsrack.db"), .checkpoint_kib = 40},
                                        {.rules = rules,
                                         .listener = events,
                                         .readers = inline_readers,
                                         .waiter = waiter,
                                         .clock = clock,
                                         .log = log});
    REQUIRE(opened);
    const std::unique_ptr<db::SqliteStore> store = *std::move(opened);
    Worker writer("store-w", store->writer(), waiter, clock);
    writer.start();

    std::atomic<int> sent = 0;
    std::atomic<bool> all_seen = true;
    std::latch done(senders * messages_each);
    // accept -> begin -> end, each from the completion of the one before, as the lines do.
    const auto send_one = [&](int number) {
        NewMessage message;
        message.body.to = "+3361" + std::to_string(1'000'000 + number);
        message.body.text = "hello";
        message.ref = std::to_string(number);
        message.created_at = clock.wall();
        message.expires_at = message.created_at + std::chrono::hours(1);
        store->post(ports::Accept{std::move(message)}, [&](Result<ports::Accepted> accepted) {
            const MessageId id = accepted.value().id;
            store->post(
                ports::BeginAttempt{
                    .message = id, .modem = "m0", .sim = SimId{1}, .at = clock.wall()},
                [&, id](Result<AttemptId> attempt) {
                    store->post(ports::EndAttempt{.attempt = attempt.value(),
                                                  .message = id,
                                                  .outcome = {.kind = OutcomeKind::accepted},
                                                  .at = clock.wall()},
                                [&](Result<ports::AttemptApplied> applied) {
                                    sent += applied.value().applied ? 1 : 0;
                                    done.count_down();
                                });
                });
        });
    };
    {
        std::vector<std::jthread> threads;
        threads.emplace_back([&] {  // as the loop does at a reload, also during a checkpoint
            for (int i = 0; i < 200; ++i) {
                all_seen = all_seen && store->group_id("group " + std::to_string(i)).has_value();
            }
        });
        for (int s = 0; s < senders; ++s) {
            threads.emplace_back([&, s] {
                for (int i = 0; i < messages_each; ++i) {
                    send_one(s * messages_each + i);
                    if (i % 50 == 0) {
                        store->ask(
                            [](ports::StoreReader& reader) {
                                return reader.messages({.limit = 10});
                            },
                            [&](const Result<std::vector<ports::MessageRow>>& page) {
                                all_seen = all_seen && page.has_value();
                            });
                    }
                }
            });
        }
    }
    done.wait();
    writer.stop();
    CHECK(sent == senders * messages_each);
    CHECK(all_seen);
    CHECK(events.in_order);
    CHECK(store->counts().at(static_cast<std::size_t>(MessageState::sent)) ==
          senders * messages_each);
    const auto checked = db::check(folder.file("smsrack.db"));
    REQUIRE(checked);
    CHECK(checked->problems.empty());
}
