#include "db/upkeep/check.hpp"
#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

std::size_t remove_old(StoreFixture& f, WallTime before, std::size_t limit = 100) {
    return f.ask(ports::RemoveOld{before, before, limit}).value();
}

/// Until nothing old is left.
std::size_t remove_all(StoreFixture& f, WallTime before) {
    std::size_t sum = 0;
    for (std::size_t removed = 1; removed > 0; sum += removed) {
        removed = remove_old(f, before);
    }
    return sum;
}

}  // namespace

TEST_CASE("retention: what is at its end and old goes, with all its rows; the rest stays") {
    StoreFixture f;
    const MessageId ended = f.sent(1);
    f.store->post(ports::NoteAttempt{f.detail(ended).attempts.at(0).id, {.text = "it took long"}});
    f.keep(f.report(1));
    const MessageId sent = f.sent(2);
    const MessageId waits = f.accepted();
    f.keep(f.inbound("old"));
    f.clock.advance(std::chrono::hours(1));
    const WallTime before = f.clock.wall();
    const MessageId young = f.sent(3);
    f.keep(f.inbound("young"));

    CHECK(remove_all(f, before) > 0);
    const auto gone = [&](MessageId id) {
        return !f.look([&](ports::StoreReader& r) { return r.message(id); }).has_value();
    };
    CHECK(gone(ended));
    CHECK(gone(sent));
    CHECK_FALSE(gone(waits));
    CHECK_FALSE(gone(young));
    CHECK(f.history(young).size() == 3);
    const auto inbox = f.look([](ports::StoreReader& r) { return r.inbox({}); });
    REQUIRE(inbox->size() == 1);
    CHECK(inbox->at(0).content.text == "young");
    CHECK(f.count(MessageState::delivered) == 0);
    CHECK(f.count(MessageState::sent) == 1);
    const auto checked = db::check(f.folder.file("smsrack.db"));
    REQUIRE(checked);
    CHECK(checked->problems.empty());
}

TEST_CASE("retention: a call removes no more than it was allowed") {
    StoreFixture f;
    for (int i = 0; i < 10; ++i) {
        f.sent(static_cast<std::uint8_t>(i));
    }
    f.clock.advance(std::chrono::hours(1));
    CHECK(remove_old(f, f.clock.wall(), 4) == 4);
    CHECK(f.count(MessageState::sent) == 6);
}

TEST_CASE("retention: messages that stay do not stop those behind them") {
    StoreFixture f;
    for (int i = 0; i < 6; ++i) {
        f.accepted();
    }
    f.sent(1);
    f.clock.advance(std::chrono::hours(1));
    for (int i = 0; i < 4; ++i) {
        remove_old(f, f.clock.wall(), 3);
    }
    CHECK(f.count(MessageState::sent) == 0);
    CHECK(f.count(MessageState::queued) == 6);
}

TEST_CASE("retention: no number is used again, even when every row is gone") {
    StoreFixture f;
    const MessageId message = f.sent(1);
    const InboxId inbox = f.keep(f.inbound("x"))->inbox;
    f.clock.advance(std::chrono::hours(1));
    remove_all(f, f.clock.wall());
    CHECK(f.look([](ports::StoreReader& r) { return r.events({}, 10); })->empty());
    f.reopen();
    CHECK(f.accepted() > message);
    CHECK(f.keep(f.inbound("y"))->inbox > inbox);
}

TEST_CASE("retention: a report without a waiting message is kept for its window, then forgotten") {
    StoreFixture f;
    const auto report = f.report(9);
    f.keep(report);
    f.clock.advance(std::chrono::days(3));
    remove_all(f, f.clock.wall());
    CHECK(f.keep(report)->duplicate);
    f.clock.advance(std::chrono::milliseconds(1));
    remove_all(f, f.clock.wall());
    CHECK_FALSE(f.keep(report)->duplicate);
}

TEST_CASE("retention: the runs of hashes go with their messages") {
    StoreFixture f;
    for (int i = 0; i < 20'000; ++i) {
        auto message = f.message();
        message.ref = "r" + std::to_string(i);
        f.store->post(ports::Accept{message}, {});
        if (i % 4'000 == 0) {
            f.run();
        }
    }
    f.run();
    f.clock.advance(std::chrono::hours(25));
    for (std::size_t expired = 1; expired > 0;) {
        expired = f.ask(ports::ExpireOverdue{f.clock.wall(), 5'000}).value();
    }
    CHECK(f.count(MessageState::expired) == 20'000);
    f.clock.advance(std::chrono::hours(1));
    for (std::size_t removed = 1; removed > 0;) {
        removed = remove_old(f, f.clock.wall(), 5'000);
    }
    auto again = f.message();
    again.ref = "r5";
    CHECK_FALSE(f.accept(again)->repeated);
    f.reopen();
    CHECK(f.count(MessageState::queued) == 1);
}
