#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <fmt/format.h>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::PauseScope;
using test::StoreFixture;

namespace {

bool pause(StoreFixture& f, PauseScope scope, const std::string& name = {}) {
    return f.ask(ports::SetPause{scope, name, true, f.clock.wall()}).value();
}

bool resume(StoreFixture& f, PauseScope scope, const std::string& name = {}) {
    return f.ask(ports::SetPause{scope, name, false, f.clock.wall()}).value();
}

Result<ports::BatchRow> cancel(StoreFixture& f, const std::string& name) {
    return f.ask(ports::CancelBatch{name, f.clock.wall()});
}

bool cancel_some(StoreFixture& f, std::size_t limit) {
    return f.ask(ports::CancelSome{f.clock.wall(), limit}).value();
}

std::optional<WallTime> put_off(StoreFixture& f, MessageId id, WallTime until) {
    return f.ask(ports::PutOff{id, until, f.clock.wall()}).value();
}

bool opt_out(StoreFixture& f, const std::string& number) {
    return f.ask(ports::OptOut{number, f.clock.wall()}).value();
}

bool opt_in(StoreFixture& f, const std::string& number) {
    return f.ask(ports::OptIn{number}).value();
}

NewMessage of_batch(const StoreFixture& f, const std::string& batch,
                    const std::string& to = "+33612345678") {
    NewMessage m = f.message(to);
    m.batch = batch;
    return m;
}

std::vector<MessageId> queued(StoreFixture& f, std::size_t limit = 100, EventSeq after = {}) {
    const auto group = f.store->group_id("default");
    REQUIRE(group);
    const auto found =
        f.look([&](ports::StoreReader& r) { return r.queued(*group, Level{3}, after, limit); });
    REQUIRE(found);
    std::vector<MessageId> ids;
    for (const OutMessage& message : *found) {
        ids.push_back(message.id);
    }
    return ids;
}

ports::BatchRow batch(StoreFixture& f, const std::string& name) {
    const auto row = f.look([&](ports::StoreReader& r) { return r.batch(name); });
    REQUIRE(row);
    return *row;
}

std::int64_t count(StoreFixture& f, const std::string& name, MessageState state) {
    return batch(f, name).counts.at(static_cast<std::size_t>(state));
}

std::vector<ports::Pause> pauses(StoreFixture& f) {
    const auto found = f.look([](ports::StoreReader& r) { return r.pauses(); });
    REQUIRE(found);
    return *found;
}

}  // namespace

TEST_CASE("batches: counts by state follow the messages, over a restart and what retention takes") {
    StoreFixture f;
    const MessageId first = f.accepted(of_batch(f, "a"));
    (void)f.accepted(of_batch(f, "a"));
    (void)f.accepted(of_batch(f, "b"));
    (void)f.accepted();
    CHECK(count(f, "a", MessageState::queued) == 2);
    CHECK(count(f, "b", MessageState::queued) == 1);
    const auto attempt = f.begin(first);
    REQUIRE(attempt);
    CHECK(count(f, "a", MessageState::sending) == 1);
    REQUIRE(f.end(f.taken(first, *attempt, 0, 7)));
    f.reopen();
    CHECK(count(f, "a", MessageState::sent) == 1);
    CHECK(count(f, "a", MessageState::sending) == 0);
    CHECK(count(f, "a", MessageState::queued) == 1);
    REQUIRE(f.keep(f.report(7)));
    CHECK(count(f, "a", MessageState::delivered) == 1);
    CHECK(f.detail(first).message.batch == "a");

    const auto list = f.look([](ports::StoreReader& r) { return r.batches({}, 10); });
    REQUIRE(list);
    REQUIRE(list->size() == 2);
    CHECK(list->at(0).name == "b");
    const auto rest = f.look([&](ports::StoreReader& r) { return r.batches(list->at(0).id, 10); });
    REQUIRE(rest);
    REQUIRE(rest->size() == 1);
    CHECK(rest->at(0).name == "a");
    CHECK_FALSE(f.look([](ports::StoreReader& r) { return r.batch("c"); }));

    f.clock.advance(48h);
    const auto before = f.clock.wall() - 24h;
    REQUIRE(f.ask(ports::RemoveOld{before, before, 100}));
    CHECK(count(f, "a", MessageState::delivered) == 0);
    CHECK(count(f, "a", MessageState::queued) == 1);
}

TEST_CASE("batches: one without messages goes with retention; the same name begins again") {
    StoreFixture f;
    const MessageId id = f.accepted(of_batch(f, "a"));
    REQUIRE(f.finish(id, MessageEvent::cancel));
    f.clock.advance(48h);
    const auto remove = [&] {
        const auto before = f.clock.wall() - 24h;
        return f.ask(ports::RemoveOld{before, before, 100});
    };
    REQUIRE(remove());
    REQUIRE(remove());
    CHECK_FALSE(f.look([](ports::StoreReader& r) { return r.batch("a"); }));
    (void)f.accepted(of_batch(f, "a"));
    CHECK(count(f, "a", MessageState::queued) == 1);
}

TEST_CASE("messages: filtered by batch, newest first, page by page") {
    StoreFixture f;
    std::vector<MessageId> of_a;
    for (int i = 0; i < 5; ++i) {
        of_a.push_back(f.accepted(of_batch(f, "a")));
        (void)f.accepted(of_batch(f, "b"));
        (void)f.accepted();
    }
    const auto page = [&](MessageId before, std::optional<MessageState> state) {
        const auto rows = f.look([&](ports::StoreReader& r) {
            return r.messages({.state = state, .batch = "a", .before = before, .limit = 3});
        });
        REQUIRE(rows);
        std::vector<MessageId> ids;
        for (const auto& row : *rows) {
            CHECK(row.batch == "a");
            ids.push_back(row.id);
        }
        return ids;
    };
    CHECK(page({}, {}) == std::vector{of_a[4], of_a[3], of_a[2]});
    CHECK(page(of_a[2], {}) == std::vector{of_a[1], of_a[0]});
    REQUIRE(f.finish(of_a[3], MessageEvent::cancel));
    CHECK(page({}, MessageState::cancelled) == std::vector{of_a[3]});
    CHECK(f.look([](ports::StoreReader& r) { return r.messages({.batch = "none"}); })->empty());
}

TEST_CASE("pauses: what must be loaded comes in order of age over all batches but the paused") {
    StoreFixture f;
    const MessageId a1 = f.accepted(of_batch(f, "a"));
    const MessageId none1 = f.accepted();
    const MessageId b1 = f.accepted(of_batch(f, "b"));
    const MessageId a2 = f.accepted(of_batch(f, "a"));
    const MessageId none2 = f.accepted();
    CHECK(queued(f) == std::vector{a1, none1, b1, a2, none2});
    CHECK(queued(f, 2) == std::vector{a1, none1});
    CHECK(queued(f, 2, EventSeq{none1.value}) == std::vector{b1, a2});
    CHECK(pause(f, PauseScope::batch, "a"));
    CHECK(queued(f) == std::vector{none1, b1, none2});
    f.reopen();
    CHECK(queued(f) == std::vector{none1, b1, none2});
    CHECK(resume(f, PauseScope::batch, "a"));
    CHECK(queued(f) == std::vector{a1, none1, b1, a2, none2});
}

TEST_CASE("pauses: begun and ended once, told after the commit, kept over a restart") {
    StoreFixture f;
    CHECK(pause(f, PauseScope::rack));
    CHECK_FALSE(pause(f, PauseScope::rack));
    CHECK(pause(f, PauseScope::group, "orange"));
    CHECK(pause(f, PauseScope::batch, "b"));
    REQUIRE(f.heard.pauses.size() == 3);
    CHECK(f.heard.pauses[1].name == "orange");
    CHECK(f.heard.pauses[2].batch != BatchId{});
    f.reopen();
    REQUIRE(pauses(f).size() == 3);
    CHECK(pauses(f)[0].scope == PauseScope::rack);
    CHECK(pauses(f)[0].since == f.clock.wall());
    CHECK(resume(f, PauseScope::rack));
    CHECK_FALSE(resume(f, PauseScope::rack));
    CHECK_FALSE(resume(f, PauseScope::batch, "never seen"));
    CHECK(resume(f, PauseScope::group, "orange"));
    CHECK(resume(f, PauseScope::batch, "b"));
    CHECK(pauses(f).empty());
    CHECK(f.heard.pauses.empty());
    std::vector<std::string> notices;
    for (const Event& event : f.heard.events) {
        if (event.type == EventType::service_notice) {
            notices.push_back(event.detail);
        }
    }
    CHECK(notices == std::vector<std::string>{"paused rack", "paused group orange",
                                              "paused batch b", "resumed rack",
                                              "resumed group orange", "resumed batch b"});
}

TEST_CASE("pauses: a message between two attempts is due again when the last of its pauses ends") {
    StoreFixture f;
    const MessageId id = f.accepted(of_batch(f, "b"));
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    REQUIRE(f.end(f.refused(id, *attempt)));
    f.clock.advance(10s);
    REQUIRE(f.take_due().size() == 1);
    CHECK(pause(f, PauseScope::rack));
    CHECK(pause(f, PauseScope::batch, "b"));
    CHECK_FALSE(put_off(f, id, f.clock.wall()));
    CHECK(f.take_due().empty());
    CHECK(resume(f, PauseScope::rack));
    REQUIRE(f.take_due().size() == 1);  // for the dispatcher to see that another one holds it
    CHECK_FALSE(put_off(f, id, f.clock.wall()));
    CHECK(resume(f, PauseScope::batch, "b"));
    CHECK(f.take_due().size() == 1);
    // A pause that ended before the dispatcher's wish arrived: it is due at once, not for ever late.
    CHECK(put_off(f, id, f.clock.wall()) == f.clock.wall());
    CHECK(f.take_due().size() == 1);
    CHECK(put_off(f, id, f.clock.wall() + 1h) == f.clock.wall() + 1h);  // quiet hours
    CHECK(f.take_due().empty());
    f.clock.advance(1h);
    CHECK(f.take_due().size() == 1);
}

TEST_CASE(
    "batches: a cancel takes steps, survives a restart between them, and leaves others alone") {
    StoreFixture f;
    std::vector<MessageId> ids;
    for (int i = 0; i < 25; ++i) {
        ids.push_back(f.accepted(of_batch(f, "wrong")));
    }
    const MessageId other = f.accepted(of_batch(f, "right"));
    const MessageId in_hand = ids[3];
    const auto attempt = f.begin(in_hand);
    REQUIRE(attempt);
    NewMessage later = of_batch(f, "wrong");
    later.not_before = f.clock.wall() + 1h;
    const MessageId scheduled = f.accepted(later);

    const auto answer = cancel(f, "wrong");
    REQUIRE(answer);
    CHECK(answer->cancelling);
    CHECK(answer->counts.at(static_cast<std::size_t>(MessageState::queued)) == 24);
    CHECK(queued(f) == std::vector{other});  // from the answer on none of it begins
    REQUIRE(f.heard.pauses.size() == 1);
    CHECK(f.heard.pauses[0].cancelled);
    const auto refused = f.accept(of_batch(f, "wrong"));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
    CHECK(refused.error().context.contains("wrong"));

    CHECK(cancel_some(f, 10));
    CHECK(count(f, "wrong", MessageState::cancelled) == 9);
    f.reopen();
    CHECK(batch(f, "wrong").cancelling);
    while (cancel_some(f, 10)) {
    }
    CHECK_FALSE(batch(f, "wrong").cancelling);
    CHECK(f.heard.pauses.size() == 1);  // one may come back unsent
    REQUIRE(f.end(f.taken(in_hand, *attempt, 0, 1)));
    CHECK(f.heard.pauses.empty());  // nothing is left to hold back
    CHECK(pauses(f).empty());
    CHECK(count(f, "wrong", MessageState::cancelled) == 25);
    CHECK(f.state(scheduled) == MessageState::cancelled);
    CHECK(f.detail(ids[0]).message.detail == "batch_cancelled");
    CHECK(f.state(other) == MessageState::queued);
    CHECK_FALSE(cancel(f, "wrong")->cancelling);  // again: it is done
    CHECK_FALSE(cancel(f, "never seen"));
    const auto resumed = f.ask(ports::SetPause{PauseScope::batch, "wrong", false, f.clock.wall()});
    REQUIRE_FALSE(resumed);
    CHECK(resumed.error().code == Errc::conflict);
}

TEST_CASE(
    "batches: what a line gives back unsent is cancelled with its batch, what it sent is not") {
    StoreFixture f;
    const MessageId sent = f.accepted(of_batch(f, "wrong"));
    const MessageId back = f.accepted(of_batch(f, "wrong"));
    const auto first = f.begin(sent);
    const auto second = f.begin(back);
    REQUIRE(cancel(f, "wrong"));
    CHECK_FALSE(cancel_some(f, 10));
    CHECK(f.state(back) == MessageState::sending);
    REQUIRE(f.end(f.taken(sent, *first, 0, 1)));
    REQUIRE(f.end(f.refused(back, *second)));
    f.clock.advance(10s);
    REQUIRE(f.take_due().size() == 1);
    CHECK_FALSE(put_off(f, back, f.clock.wall()));
    CHECK(f.state(back) == MessageState::cancelled);
    CHECK(f.heard.pauses.empty());
    CHECK(f.state(sent) == MessageState::sent);
}

TEST_CASE(
    "opt-outs: a number on the list is refused, however it is written, until it is taken off") {
    StoreFixture f;
    CHECK(opt_out(f, "+33612345678"));
    CHECK_FALSE(opt_out(f, "+33612345678"));
    CHECK_FALSE(opt_out(f, "0612345678"));  // the same subscriber
    f.reopen();
    const auto refused = f.accept(f.message("+33612345678"));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::forbidden);
    CHECK(refused.error().context.starts_with("rule opt_out"));
    CHECK_FALSE(refused.error().context.contains("12345"));
    CHECK(f.accept(f.message("+33612345679")));
    CHECK(f.accept(f.message("5678")));  // a short code is another subscriber
    const auto found = f.look([](ports::StoreReader& r) { return r.opt_out("0612345678"); });
    REQUIRE(found);
    CHECK(found->has_value());
    CHECK(opt_in(f, "+33612345678"));
    CHECK_FALSE(opt_in(f, "+33612345678"));
    CHECK(f.accept(f.message("+33612345678")));
}

TEST_CASE("opt-outs: the list comes page by page in order of number") {
    StoreFixture f;
    for (int i = 0; i < 5; ++i) {
        CHECK(opt_out(f, fmt::format("+3361000000{}", 4 - i)));
    }
    const auto page = f.look([](ports::StoreReader& r) { return r.opt_outs("", 3); });
    REQUIRE(page);
    REQUIRE(page->size() == 3);
    CHECK(page->at(2).number == "+33610000002");
    CHECK(f.look([](ports::StoreReader& r) { return r.opt_outs("+33610000002", 3); })->size() == 2);
}

TEST_CASE("opt-outs: the same digits in another country are another person's") {
    StoreFixture f;
    REQUIRE(opt_out(f, "+33612345678"));
    CHECK_FALSE(f.accept(f.message("+33612345678")));
    CHECK(f.accept(f.message("+34612345678")));
    CHECK(opt_out(f, "+34612345678"));  // was none before
    REQUIRE(opt_in(f, "+34612345678"));
    CHECK_FALSE(f.accept(f.message("+33612345678")));  // the other's wish holds
    CHECK(f.accept(f.message("+34612345678")));
    CHECK_FALSE(opt_out(f, "0612345678"));  // without its country it may be the same
}

TEST_CASE("opt-outs: STOP is kept with the answer that says it; nothing is begun after it") {
    StoreFixture f;
    f.rules.wish_of = [](std::string_view text) {
        return text == "STOP"    ? ports::OptOutWish::stop
               : text == "START" ? ports::OptOutWish::start
                                 : ports::OptOutWish::none;
    };
    const MessageId waiting = f.accepted();
    const MessageId other = f.accepted(f.message("+33699999999"));
    const auto kept = f.keep(f.inbound("STOP"));
    REQUIRE(kept);
    const auto list = f.look([](ports::StoreReader& r) { return r.opt_outs("", 10); });
    REQUIRE(list->size() == 1);
    CHECK(list->at(0).number == "+33612345678");
    CHECK(list->at(0).inbox == kept->inbox);
    // It was accepted before: its PDU may not leave any more.
    const auto begun = f.begin(waiting);
    REQUIRE_FALSE(begun);
    CHECK(begun.error().code == Errc::conflict);
    CHECK(f.state(waiting) == MessageState::cancelled);
    CHECK(f.detail(waiting).message.detail == "opted_out");
    CHECK(f.detail(waiting).attempts.empty());
    CHECK(f.begin(other));
    CHECK_FALSE(f.accept(f.message()));
    REQUIRE(f.keep(f.inbound("please STOP")));
    REQUIRE(f.keep(f.inbound("START")));
    CHECK(f.accept(f.message()));
}

TEST_CASE("opt-outs: STOP between two segments of a long message stops the rest") {
    StoreFixture f;
    f.rules.wish_of = [](std::string_view text) {
        return text == "STOP" ? ports::OptOutWish::stop : ports::OptOutWish::none;
    };
    const MessageId id = f.accepted();
    const auto first = f.begin(id, 0, 3);
    REQUIRE(first);
    REQUIRE(f.end(f.taken(id, *first, 0, 1)));
    REQUIRE(f.keep(f.inbound("STOP")));
    CHECK_FALSE(f.begin(id, 1, 3));
    CHECK(f.state(id) == MessageState::cancelled);
    CHECK(f.detail(id).segments.at(0).state == MessageState::sent);
    CHECK(f.detail(id).segments.at(2).state == MessageState::cancelled);
    CHECK(f.take_due().empty());
}

namespace {

ports::OptOutWish stop_alone(std::string_view text) {
    return text == "STOP" ? ports::OptOutWish::stop : ports::OptOutWish::none;
}

std::vector<std::string> stops_told(const StoreFixture& f) {
    std::vector<std::string> told;
    for (const Event& event : f.heard.events) {
        if (event.type == EventType::opt_out_stop) {
            told.push_back(event.detail);
        }
    }
    return told;
}

}  // namespace

TEST_CASE("opt-outs: STOP counts only if the group that it came to has written to its sender") {
    struct Case {
        const char* what;
        std::string written_by;  ///< group; empty: none
        std::chrono::days ago;
        StopHeard heard;
    };
    for (const Case& it : {
             Case{"nobody has written: the number may be forged", "", std::chrono::days(0),
                  StopHeard::ignored},
             Case{"its own group has", "default", std::chrono::days(1), StopHeard::counted},
             Case{"another group has", "alarms", std::chrono::days(1), StopHeard::ignored},
             Case{"its own group has, long ago", "default", std::chrono::days(31),
                  StopHeard::ignored},
         }) {
        CAPTURE(it.what);
        StoreFixture f;
        f.rules.wish_of = stop_alone;
        f.rules.opt_out.written = std::chrono::days(30);
        f.rules.opt_out.groups = {{"m0", "default"}, {"m1", "alarms"}};
        if (!it.written_by.empty()) {
            NewMessage m = f.message();
            m.group = it.written_by;
            const MessageId id = f.accepted(m);
            const auto begun = f.begin(id, 0, 1);
            REQUIRE(begun);
            REQUIRE(f.end(f.taken(id, *begun, 0, 1)));
        }
        f.clock.advance(it.ago);
        InboundSegment stop = f.inbound("STOP");
        stop.received_at = f.clock.wall();
        stop.modem = "m0";
        const auto kept = f.keep(stop);
        REQUIRE(kept);
        CHECK(kept->stop == it.heard);
        const bool counted = it.heard == StopHeard::counted;
        CHECK(f.accept(f.message()).has_value() != counted);
        CHECK(stops_told(f) == std::vector<std::string>{counted ? "stop_counted" : "stop_ignored"});
    }
}

TEST_CASE("opt-outs: a STOP is in the history of the last message to its sender") {
    StoreFixture f;
    f.rules.wish_of = stop_alone;
    const MessageId id = f.accepted();
    const auto begun = f.begin(id, 0, 1);
    REQUIRE(begun);
    REQUIRE(f.end(f.taken(id, *begun, 0, 1)));
    const auto kept = f.keep(f.inbound("STOP"));
    REQUIRE(kept);
    const auto history = f.detail(id).history;
    REQUIRE_FALSE(history.empty());
    CHECK(history.back().type == EventType::opt_out_stop);
    CHECK(history.back().inbox == kept->inbox);
    CHECK(history.back().detail == "stop_counted");
}

TEST_CASE("opt-outs: what is exempt by group or priority is accepted, and sent, all the same") {
    StoreFixture f;
    f.rules.opt_out.exempt_groups = {"alarms"};
    f.rules.opt_out.exempt_level = Level{6};
    NewMessage by_group = f.message();
    by_group.group = "alarms";
    NewMessage by_level = f.message();
    by_level.level = 6;
    NewMessage ordinary = f.message();
    ordinary.level = 5;
    const MessageId waiting = f.accepted(by_group);
    const MessageId stopped = f.accepted(ordinary);
    REQUIRE(opt_out(f, "+33612345678"));
    CHECK(f.accept(by_group));
    CHECK(f.accept(by_level));
    CHECK_FALSE(f.accept(ordinary));
    CHECK(f.begin(waiting));
    CHECK_FALSE(f.begin(stopped));
    CHECK(f.state(stopped) == MessageState::cancelled);
}

TEST_CASE("limits: n to one number within an hour and a day; what ended unsent is not counted") {
    StoreFixture f;
    const auto send = [&](const std::string& to = "+33612345678") {
        NewMessage m = f.message(to);
        m.limits = {.per_hour = 2, .per_day = 3};
        return f.accept(m);
    };
    REQUIRE(send());
    f.clock.advance(30min);
    const auto second = send();
    REQUIRE(second);
    const auto third = send();
    REQUIRE_FALSE(third);
    CHECK(third.error().code == Errc::forbidden);
    CHECK(third.error().context == "rule recipient_limit: 2 in an hour to one number");
    CHECK(send("+33699999999"));
    f.reopen();
    CHECK_FALSE(send());
    f.clock.advance(30min);  // the first is an hour old
    REQUIRE(send());
    f.clock.advance(2h);
    const auto of_day = send();
    REQUIRE_FALSE(of_day);
    CHECK(of_day.error().context == "rule recipient_limit: 3 in a day to one number");
    REQUIRE(f.finish(second->id, MessageEvent::cancel));
    CHECK(send());
    f.clock.advance(25h);
    CHECK(send());
}

TEST_CASE("a rule of intake refuses in the store only what has no first answer") {
    StoreFixture f;
    NewMessage m = f.message();
    m.ref = "r";
    m.fingerprint = 5;
    const MessageId id = f.accepted(m);
    m.refused = Error{.code = Errc::forbidden, .context = "rule deny: x"};
    const auto again = f.accept(m);
    REQUIRE(again);
    CHECK(again->id == id);
    CHECK(again->repeated);
    m.ref = "s";
    CHECK(f.accept(m).error().code == Errc::forbidden);
}
