// Pairs of number and topic: claimed with their message, and what becomes of them.
#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::PairState;
using test::StoreFixture;

namespace {

constexpr std::int64_t number = 33'612'345'678;

ports::TopicId topic(StoreFixture& f, const std::string& name = "topic:paris",
                     const std::string& trigger = "welcome") {
    return f.ask(ports::NumberTopics{trigger, {name}}).value().front();
}

ports::Claim claim_of(StoreFixture& f, ports::TopicId of, std::int64_t to = number) {
    return {.pair = {.topic = of, .number = to},
            .rules = {.forgotten_before = f.clock.wall() - std::chrono::days(15),
                      .failed_before = f.clock.wall() - 30min},
            .message = f.message("+" + std::to_string(to)),
            .trigger = "welcome"};
}

using Answers = std::vector<Result<ports::Claimed>>;

Result<Answers> claim(StoreFixture& f, std::vector<ports::Claim> claims) {
    return f.ask(ports::ClaimPairs{std::move(claims)});
}

Result<ports::Claimed> claim_one(StoreFixture& f, ports::TopicId of, std::int64_t to = number) {
    return claim(f, {claim_of(f, of, to)}).value().front();
}

template <typename Question>
auto read(StoreFixture& f, Question question) {
    return f.look<ports::TriggerReader>(std::move(question)).value();
}

std::optional<ports::PairRow> row(StoreFixture& f, ports::Pair pair) {
    return read(f, [&](ports::TriggerReader& reader) { return reader.find(std::span(&pair, 1)); })
        .front();
}

std::size_t messages(StoreFixture& f) {
    std::size_t count = 0;
    for (const auto n : f.store->counts()) {
        count += static_cast<std::size_t>(n);
    }
    return count;
}

}  // namespace

TEST_CASE("claims: a pair gets one message, for all callers and however often") {
    StoreFixture f;
    const auto paris = topic(f);
    const auto first = claim(f, {claim_of(f, paris), claim_of(f, paris)}).value();
    REQUIRE(first[0]);
    REQUIRE(first[1]);
    CHECK(first[0]->fresh);
    CHECK_FALSE(first[1]->fresh);
    CHECK(first[1]->row.message == first[0]->row.message);
    f.reopen();
    const auto again = claim_one(f, paris);
    REQUIRE(again);
    CHECK_FALSE(again->fresh);
    CHECK(again->row.state == PairState::claimed);
    CHECK(messages(f) == 1);
    CHECK(claim_one(f, topic(f, "topic:lyon"))->fresh);
    CHECK(claim_one(f, topic(f, "topic:paris", "alarm"))->fresh);
    CHECK(claim_one(f, paris, number + 1)->fresh);
    CHECK(messages(f) == 4);
}

TEST_CASE("claims: the same name is the same topic for ever") {
    StoreFixture f;
    const auto paris = topic(f);
    const auto lyon = topic(f, "topic:lyon");
    CHECK(paris != lyon);
    f.reopen();
    CHECK(topic(f) == paris);
    const auto names = read(f, [](ports::TriggerReader& reader) { return reader.topics(); });
    REQUIRE(names.size() == 2);
    CHECK(names[1].id == lyon);
    CHECK(names[1].trigger == "welcome");
    CHECK(names[1].name == "topic:lyon");
}

TEST_CASE("claims: how long a trigger keeps its pairs is known of its topics, as it said last") {
    StoreFixture f;
    (void)topic(f);
    (void)topic(f, "topic:fire", "alarm");
    const auto note = [&f](std::vector<ports::TriggerDays> days) {
        REQUIRE(f.ask(ports::NoteDays{days}));
    };
    note({{.trigger = "welcome", .retain = 15 * 24h}, {.trigger = "no topics yet", .retain = 1h}});
    note({{.trigger = "welcome", .retain = 24h}});
    f.reopen();
    const auto names = read(f, [](ports::TriggerReader& reader) { return reader.topics(); });
    REQUIRE(names.size() == 2);
    CHECK(names[0].trigger == "welcome");
    CHECK(names[0].retain == std::chrono::hours(24));
    CHECK(names[1].trigger == "alarm");
    CHECK_FALSE(names[1].retain);
}

TEST_CASE(
    "claims: who comes when all numbers of topics are given out gets none, and hurts no other") {
    StoreFixture f;
    const auto ask = [&f](std::vector<std::string> names) {
        return f.ask(ports::NumberTopics{"welcome", std::move(names)}).value();
    };
    const auto first = topic(f, "topic:first", "other trigger");
    std::vector<std::string> names;
    for (int i = 0; i < ports::topic_ids_end - 2; ++i) {
        names.push_back(fmt::format("topic:{}", i));
    }
    names.emplace_back("topic:late");
    names.emplace_back("topic:0");
    const auto ids = ask(names);
    REQUIRE(ids.size() == names.size());
    std::set<std::int32_t> distinct{first.value};
    for (const ports::TopicId id : ids) {
        distinct.insert(id.value);
    }
    CHECK(distinct.size() == ports::topic_ids_end);  // all numbers, and none
    CHECK(*distinct.begin() == 0);
    CHECK(*distinct.rbegin() == ports::topic_ids_end - 1);
    CHECK(ids[ids.size() - 2] == ports::TopicId{});
    CHECK(ids.back() == ids.front());
    f.reopen();
    CHECK(ask(names) == ids);
}

TEST_CASE("claims: where the batch was taken back the message goes into the next one of its name") {
    constexpr const char* day = "welcome:2026-11-21";
    StoreFixture f;
    const auto paris = topic(f);
    const auto in_batch = [&](std::int64_t to) {
        ports::Claim one = claim_of(f, paris, to);
        one.message.batch = day;
        return claim(f, {one}).value().front().value();
    };
    const auto take_back = [&f](const std::string& batch) {
        CHECK(f.ask(ports::CancelBatch{batch, f.clock.wall()}));
    };
    CHECK(in_batch(number).batch == day);
    take_back(day);
    CHECK_FALSE(in_batch(number).fresh);  // its message is not made twice
    const ports::Claimed second = in_batch(number + 1);
    CHECK(second.fresh);
    CHECK(second.batch == std::string(day) + ".2");
    f.reopen();
    CHECK(in_batch(number + 2).batch == std::string(day) + ".2");
    take_back(std::string(day) + ".2");
    CHECK(in_batch(number + 3).batch == std::string(day) + ".3");
    CHECK(f.ask(ports::OptOut{"+33612345700", f.clock.wall()}));
    ports::Claim unwanted = claim_of(f, paris, 33'612'345'700);
    unwanted.message.batch = day;
    CHECK(claim(f, {unwanted}).value().front().error().code == Errc::forbidden);
}

TEST_CASE("claims: what was taken back gives its minutes back, what still waits keeps them") {
    constexpr const char* yesterday = "welcome:2026-11-20";
    constexpr const char* day = "welcome:2026-11-21";
    for (const bool some_wait : {false, true}) {
        CAPTURE(some_wait);
        StoreFixture f;
        const auto paris = topic(f);
        std::int64_t to = number;
        const WallTime start = f.clock.wall();
        const auto minutes_off = [&](const char* batch) {
            ports::Claim one = claim_of(f, paris, ++to);
            one.message.batch = batch;
            one.per_minute = 2;
            const auto claimed = claim(f, {one}).value().front().value();
            return std::chrono::floor<std::chrono::minutes>(claimed.due_at.value_or(start)) -
                   std::chrono::floor<std::chrono::minutes>(start);
        };
        if (some_wait) {
            for (int i = 0; i < 8; ++i) {
                CHECK(minutes_off(yesterday) == std::chrono::minutes(i / 2));
            }
        }
        const int first = some_wait ? 4 : 0;
        for (int i = 0; i < 100; ++i) {
            CHECK(minutes_off(day) == std::chrono::minutes(first + i / 2));
        }
        CHECK(f.ask(ports::CancelBatch{day, f.clock.wall()}));
        // Not the minute that the last one waits for, nor the one that runs: they may be full.
        for (int i = 0; i < 4; ++i) {
            CHECK(minutes_off(day) == std::chrono::minutes((some_wait ? 4 : 1) + i / 2));
        }
    }
}

TEST_CASE("claims: what is refused claims nothing") {
    struct Case {
        const char* why;
        std::function<void(StoreFixture&, ports::Claim&)> before;
        Errc code;
    };
    for (const Case& c : {
             Case{"the recipient has opted out",
                  [](StoreFixture&f, ports::Claim&) {
                      CHECK(f.ask(ports::OptOut{"+33612345678", f.clock.wall()}));
                  },
                  Errc::forbidden},
             Case{"a rule that was asked before",
                  [](StoreFixture&, ports::Claim&claim) {
                      claim.message.refused = Error{.code = Errc::forbidden};
                  },
                  Errc::forbidden},
             Case{"the recipient has had as many as may be",
                  [](StoreFixture&f, ports::Claim&claim) {
                      f.accepted();
                      claim.message.limits.per_day = 1;
                  },
                  Errc::forbidden},
         }) {
        CAPTURE(c.why);
        StoreFixture f;
        const auto paris = topic(f);
        ports::Claim wanted = claim_of(f, paris);
        c.before(f, wanted);
        const auto before = messages(f);
        const auto other = claim_of(f, paris, number + 7);
        const auto answers = claim(f, {wanted, other}).value();
        REQUIRE_FALSE(answers[0]);
        CHECK(answers[0].error().code == c.code);
        CHECK_FALSE(row(f, wanted.pair));
        CHECK(answers[1]->fresh);  // the others of its transaction are not touched
        CHECK(messages(f) == before + 1);
    }
}

TEST_CASE("claims: a full queue claims nothing, and says when to come back") {
    StoreFixture f({.capacity = 1});
    const auto paris = topic(f);
    CHECK(claim_one(f, paris)->fresh);
    const auto second = claim_one(f, paris, number + 1);
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Errc::queue_full);
    CHECK(second.error().retry_after);
    CHECK_FALSE(row(f, {paris, number + 1}));
    CHECK_FALSE(claim_one(f, paris)->fresh);  // what has its message needs no place
}

TEST_CASE("claims: a full disk claims nothing; the next start has neither pair nor message") {
    StoreFixture f;
    const auto paris = topic(f);
    const auto pages = std::filesystem::file_size(f.folder.file("smsrack.db-wal"));
    {
        const test::SmallDisk full(pages + 1'000);
        const auto answer = claim(f, {claim_of(f, paris)});
        REQUIRE_FALSE(answer);
        CHECK(answer.error().code == Errc::storage);
    }
    CHECK_FALSE(row(f, {paris, number}));
    f.reopen();
    CHECK_FALSE(row(f, {paris, number}));
    CHECK(messages(f) == 0);
    CHECK(claim_one(f, paris)->fresh);
}

TEST_CASE("claims: the pair says what became of its message") {
    struct Case {
        const char* so;
        std::function<void(StoreFixture&, MessageId)> what;
        PairState state;
    };
    const auto give_up = [](StoreFixture& f, MessageId id, AttemptId attempt) {
        ports::EndAttempt end = f.refused(id, attempt);
        end.event = MessageEvent::give_up;
        end.due_at.reset();
        end.ends_message = true;
        CHECK(f.end(end));
    };
    const auto begin_anew = [](StoreFixture& f, MessageId id) {
        CHECK(f.ask(ports::RestartMessage{id, "sim_lost", f.clock.wall(), f.clock.wall()}));
    };
    for (const Case& c : {
             Case{"it waits", [](StoreFixture&, MessageId) {}, PairState::claimed},
             Case{"the network took it",
                  [](StoreFixture&f, MessageId id) {
                      CHECK(f.end(f.taken(id, *f.begin(id), 0, 7)));
                  },
                  PairState::sent},
             Case{"nobody knows yet",
                  [](StoreFixture&f, MessageId id) { CHECK(f.end(f.silent(id, *f.begin(id)))); },
                  PairState::claimed},
             Case{"nobody will ever know",
                  [](StoreFixture&f, MessageId id) {
                      CHECK(f.end(f.silent(id, *f.begin(id))));
                      CHECK(f.finish(id, MessageEvent::give_up, "outcome_unknown"));
                  },
                  PairState::doubtful},
             Case{"it was refused and is tried again",
                  [](StoreFixture&f, MessageId id) { CHECK(f.end(f.refused(id, *f.begin(id)))); },
                  PairState::claimed},
             Case{"it was refused for good",
                  [&](StoreFixture&f, MessageId id) { give_up(f, id, *f.begin(id)); },
                  PairState::failed},
             Case{"a part was taken, it was begun again for another SIM, and refused for good",
                  [&](StoreFixture&f, MessageId id) {
                      CHECK(f.end(f.taken(id, *f.begin(id, 0, 2), 0, 7)));
                      begin_anew(f, id);
                      give_up(f, id, *f.begin(id, 0, 2));
                  },
                  PairState::doubtful},
             Case{"its first attempt was taken after all, when a second had begun that was refused",
                  [&](StoreFixture&f, MessageId id) {
                      const AttemptId first = *f.begin(id);
                      CHECK(f.end(f.silent(id, first)));
                      begin_anew(f, id);
                      const AttemptId second = *f.begin(id);
                      CHECK(f.end(f.taken(id, first, 0, 7)));
                      give_up(f, id, second);
                  },
                  PairState::doubtful},
             Case{"it was taken back before it was sent",
                  [](StoreFixture&f, MessageId id) { CHECK(f.finish(id, MessageEvent::cancel)); },
                  PairState::failed},
             Case{"its time was over before it was sent",
                  [](StoreFixture&f, MessageId id) {
                      CHECK(f.finish(id, MessageEvent::too_late, "ttl"));
                  },
                  PairState::failed},
             Case{"its time was over while it was uncertain",
                  [](StoreFixture&f, MessageId id) {
                      CHECK(f.end(f.silent(id, *f.begin(id))));
                      (void)f.finish(id, MessageEvent::too_late, "ttl");
                      (void)f.finish(id, MessageEvent::give_up, "outcome_unknown");
                  },
                  PairState::doubtful},
         }) {
        CAPTURE(c.so);
        StoreFixture f;
        const auto paris = topic(f);
        const auto claimed = claim_one(f, paris);
        REQUIRE(claimed);
        c.what(f, claimed->row.message);
        const auto now = row(f, {paris, number});
        REQUIRE(now);
        CHECK(now->state == c.state);
        CHECK(now->message == claimed->row.message);
    }
}

TEST_CASE("claims: a pair that failed is free again, but not at once; what was sent is not") {
    StoreFixture f;
    const auto paris = topic(f);
    const auto first = claim_one(f, paris);
    CHECK(f.finish(first->row.message, MessageEvent::cancel));
    CHECK_FALSE(claim_one(f, paris)->fresh);
    f.clock.advance(31min);
    const auto second = claim_one(f, paris);
    CHECK(second->fresh);
    CHECK(second->row.message != first->row.message);
    CHECK(f.end(f.taken(second->row.message, *f.begin(second->row.message), 0, 7)));
    f.clock.advance(24h);
    CHECK_FALSE(claim_one(f, paris)->fresh);
    f.clock.advance(24h * 15);
    CHECK(claim_one(f, paris)->fresh);  // past its days
    CHECK(messages(f) == 3);
}

TEST_CASE("claims: a pair whose message still waits is not past its days, however old it is") {
    StoreFixture f;
    const auto paris = topic(f);
    const auto first = claim_one(f, paris);
    const std::vector<ports::Pair> pairs{{paris, number}};
    const auto forget = [&] { return f.ask(ports::ForgetPairs{pairs, f.clock.wall() - 24h * 15}); };
    f.clock.advance(24h * 16);
    CHECK_FALSE(claim_one(f, paris)->fresh);
    CHECK(forget() == 0);
    CHECK(f.end(f.taken(first->row.message, *f.begin(first->row.message), 0, 7)));
    CHECK(forget() == 1);
    CHECK(claim_one(f, paris)->fresh);
}

TEST_CASE("claims: an older message of a pair changes nothing of the newer one") {
    StoreFixture f;
    const auto paris = topic(f);
    const auto first = claim_one(f, paris);
    CHECK(f.end(f.taken(first->row.message, *f.begin(first->row.message), 0, 7)));
    f.clock.advance(24h * 16);
    const auto second = claim_one(f, paris);
    REQUIRE(second->fresh);
    CHECK(f.keep(f.report(7)));
    CHECK(f.state(first->row.message) == MessageState::delivered);
    CHECK(row(f, {paris, number})->state == PairState::claimed);
}

TEST_CASE(
    "claims: with a maximum a minute the surplus waits for the next ones, also over a restart") {
    StoreFixture f;
    const auto paris = topic(f);
    std::vector<std::optional<WallTime>> due;
    for (int i = 0; i < 8; ++i) {
        ports::Claim one = claim_of(f, paris, number + i);
        one.per_minute = 3;
        const auto answer = claim(f, {one}).value().front();
        REQUIRE(answer);
        due.push_back(answer->due_at);
        if (i == 3) {
            f.reopen();
        }
    }
    const WallTime minute = std::chrono::floor<std::chrono::minutes>(f.clock.wall());
    for (int i = 0; i < 8; ++i) {
        CAPTURE(i);
        CHECK(due[static_cast<std::size_t>(i)] ==
              (i < 3 ? std::nullopt : std::optional(WallTime(minute + (i / 3) * 1min))));
    }
    f.clock.advance(10min);
    ports::Claim later = claim_of(f, paris, number + 99);
    later.per_minute = 3;
    CHECK_FALSE(claim(f, {later}).value().front()->due_at);
}

TEST_CASE("claims: what is refused takes no place in a minute") {
    StoreFixture f({.capacity = 3, .duplicate_window = 600s});
    const auto paris = topic(f);
    const auto rome = topic(f, "topic:rome");
    const auto one_a_minute = [&](ports::TopicId of, std::int64_t to) {
        ports::Claim one = claim_of(f, of, to);
        one.per_minute = 1;
        one.message.text_hash = static_cast<std::uint64_t>(to);
        one.message.check_duplicate = true;
        return claim(f, {one}).value().front();
    };
    const WallTime minute = std::chrono::floor<std::chrono::minutes>(f.clock.wall());
    CHECK(one_a_minute(paris, number)->fresh);
    for (int i = 0; i < 5; ++i) {
        const auto again = one_a_minute(rome, number);
        REQUIRE_FALSE(again);
        CHECK(again.error().code == Errc::duplicate);
    }
    CHECK(one_a_minute(paris, number + 1)->due_at == minute + 1min);
    const auto last = one_a_minute(paris, number + 2);
    CHECK(last->due_at == minute + 2min);
    for (int i = 0; i < 5; ++i) {
        CHECK(one_a_minute(paris, number + 3).error().code == Errc::queue_full);
    }
    CHECK(f.finish(last->row.message, MessageEvent::cancel));
    CHECK(one_a_minute(paris, number + 3)->due_at == minute + 3min);
}

TEST_CASE("claims: what was dated by a wrong clock is moved with its message, once") {
    StoreFixture f;
    const auto paris = topic(f);
    CHECK(claim_one(f, paris)->fresh);
    f.clock.advance(1h);
    const WallTime after = f.clock.wall();
    f.clock.advance(1min);
    ports::Claim wanted = claim_of(f, paris, number + 1);
    wanted.message.not_before = f.clock.wall() + 30s;
    const auto waits = claim(f, {wanted}).value().front().value();
    const auto sent = claim_one(f, paris, number + 2);
    CHECK(f.end(f.taken(sent->row.message, *f.begin(sent->row.message), 0, 7)));
    auto other = f.message();
    other.not_before = f.clock.wall() + 30s;
    const MessageId scheduled = f.accepted(other);
    const auto claimed_at = [&](std::int64_t of) { return row(f, {paris, of})->claimed_at; };
    const WallTime first = claimed_at(number);
    const WallTime second = claimed_at(number + 1);
    const auto before = f.detail(waits.row.message).message;
    const ClockMove move{.after = after, .until = f.clock.wall(), .by = 19 * 24h};
    for (int i = 0; i < 2; ++i) {
        CHECK(f.ask(ports::MoveTimes{move}));
        CHECK(claimed_at(number) == first);
        CHECK(claimed_at(number + 1) == second + 19 * 24h);
        CHECK(claimed_at(number + 2) == second + 19 * 24h);
        const auto moved = f.detail(waits.row.message).message;
        CHECK(moved.due_at == *wanted.message.not_before + 19 * 24h);
        CHECK(moved.created_at == before.created_at + 19 * 24h);
        CHECK(moved.expires_at == before.expires_at + 19 * 24h);
        CHECK(f.detail(scheduled).message.due_at == other.not_before);
    }
}

TEST_CASE(
    "claims: one that comes to the disk behind a move of the clock is moved, with its rules") {
    struct Case {
        std::chrono::hours by;
        std::chrono::minutes later;  ///< than the pair's message failed; it is free again after 30
        bool fresh;
    };
    for (const Case& one : {Case{3h, 40min, true}, Case{-3h, 20min, false}, Case{-3h, 40min, true},
                            Case{3h, 20min, false}}) {
        CAPTURE(one.by.count());
        CAPTURE(one.later.count());
        StoreFixture f;
        const auto paris = topic(f);
        const auto failed = claim_one(f, paris);
        CHECK(f.finish(failed->row.message, MessageEvent::cancel));
        const WallTime failed_at = row(f, {paris, number})->claimed_at;
        f.clock.advance(one.later);
        std::optional<Answers> answers;
        f.store->post(ports::ClaimPairs{{claim_of(f, paris), claim_of(f, paris, number + 1)}},
                      [&](Result<Answers> claimed) { answers = std::move(claimed.value()); });
        f.store->post(
            ports::MoveTimes{
                {.after = f.clock.wall() - 24h, .until = f.clock.wall(), .by = one.by}},
            [](Result<std::size_t> moved) { CHECK(moved); });
        f.clock.set_date(f.clock.wall() + one.by);
        f.run();
        REQUIRE(answers);
        const auto& again = answers->front();
        REQUIRE(again);
        CHECK(again->fresh == one.fresh);
        const auto now = std::chrono::floor<std::chrono::seconds>(f.clock.wall());
        CHECK(row(f, {paris, number})->claimed_at == (one.fresh ? now : failed_at + one.by));
        CHECK(row(f, {paris, number + 1})->claimed_at == now);
        const auto message = f.detail(answers->back()->row.message).message;
        CHECK(message.created_at == f.clock.wall());
    }
}

TEST_CASE("claims: a clock that goes back takes the minutes along, behind what waits") {
    for (const bool some_wait : {false, true}) {
        CAPTURE(some_wait);
        StoreFixture f;
        const auto paris = topic(f);
        std::int64_t to = number;
        const auto minutes_off = [&] {
            ports::Claim one = claim_of(f, paris, ++to);
            one.message.batch = "welcome:2026-11-21";
            one.per_minute = 1;
            const auto claimed = claim(f, {one}).value().front().value();
            return std::chrono::floor<std::chrono::minutes>(
                       claimed.due_at.value_or(f.clock.wall())) -
                   std::chrono::floor<std::chrono::minutes>(f.clock.wall());
        };
        const WallTime back = f.clock.wall();
        f.clock.set_date(back + 30 * 24h);
        for (int i = 0; i < (some_wait ? 4 : 1); ++i) {
            CHECK(minutes_off() == std::chrono::minutes(i));
        }
        const ClockMove move{.after = back - 1ms, .until = f.clock.wall(), .by = -30 * 24h};
        f.clock.set_date(back);
        CHECK(f.ask(ports::MoveTimes{move}));
        CHECK(minutes_off() == std::chrono::minutes(some_wait ? 4 : 1));
    }
}

TEST_CASE("claims: the index is walked in order, a page at a time, and forgets what is too old") {
    StoreFixture f;
    const auto paris = topic(f);
    const auto lyon = topic(f, "topic:lyon");
    for (int i = 4; i >= 0; --i) {
        const auto claimed = claim_one(f, i % 2 == 0 ? paris : lyon, number + i);
        REQUIRE(claimed);
        CHECK(f.finish(claimed->row.message, MessageEvent::cancel));
        f.clock.advance(1h);
    }
    std::vector<ports::PairRow> all;
    for (ports::Pair after{};;) {
        const auto page =
            read(f, [&](ports::TriggerReader& reader) { return reader.pairs(after, 2); });
        if (page.empty()) {
            break;
        }
        all.insert(all.end(), page.begin(), page.end());
        after = page.back().pair;
    }
    REQUIRE(all.size() == 5);
    CHECK(std::ranges::is_sorted(all, {}, &ports::PairRow::pair));
    std::vector<ports::Pair> pairs;
    std::ranges::transform(all, std::back_inserter(pairs), &ports::PairRow::pair);
    const auto gone = f.ask(ports::ForgetPairs{pairs, f.clock.wall() - 150min});
    CHECK(gone == 3);  // 5, 4 and 3 hours old
    CHECK_FALSE(row(f, {paris, number + 4}));
    CHECK(row(f, {paris, number}));
}
