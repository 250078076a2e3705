#include "db/upkeep/check.hpp"
#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace smsrack;
using test::SmallDisk;
using test::StoreFixture;

namespace {

std::vector<std::string> problems(StoreFixture& f) {
    auto checked = db::check(f.folder.file("smsrack.db"));
    REQUIRE(checked);
    return checked->problems;
}

/// A message between two attempts that was given out.
MessageId given_out(StoreFixture& f) {
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    const ports::EndAttempt end = f.refused(id, *attempt);
    REQUIRE(f.end(end));
    f.clock.advance(*end.due_at - f.clock.wall());
    REQUIRE(f.take_due().size() == 1);
    return id;
}

/// What a full disk answers at once; nullopt: nothing.
template <typename Command>
std::optional<Errc> refusal(StoreFixture& f, Command command) {
    std::optional<Errc> refused;
    f.store->post(std::move(command), [&](const Result<typename Command::Answer>& answer) {
        refused = answer ? Errc{} : answer.error().code;
    });
    f.store->writer().step(f.clock.steady());
    return refused;
}

/// The command waits for room on the disk, and nothing else waits behind it.
template <typename Command>
void check_insists(StoreFixture& f, Command command, const std::function<bool()>& is_kept) {
    const MessageId other = f.accepted();
    const ports::BeginAttempt begin{
        .message = other, .modem = "m0", .sim = f.sim, .at = f.clock.wall()};
    std::optional<bool> answer;
    {
        const SmallDisk disk(std::filesystem::file_size(f.folder.file("smsrack.db-wal")));
        f.store->post(std::move(command), [&](const Result<typename Command::Answer>& answered) {
            answer = answered.has_value();
        });
        f.store->writer().step(f.clock.steady());
        CHECK(refusal(f, ports::Accept{f.message()}) == Errc::storage);
        CHECK(refusal(f, begin) == Errc::storage);
        CHECK(refusal(f, ports::ExpireOverdue{f.clock.wall(), 10}) == Errc::storage);
        CHECK_FALSE(answer);
        CHECK_FALSE(is_kept());  // reading continues
    }
    f.clock.advance(std::chrono::seconds(1));
    f.run();
    CHECK(answer == true);
    CHECK(is_kept());
    CHECK(f.ask(begin));
    f.reopen();
    CHECK(is_kept());
    CHECK(problems(f).empty());
}

}  // namespace

TEST_CASE(
    "durability: on a full disk nothing is half kept, every caller is notified, and it continues "
    "when "
    "there is room") {
    StoreFixture f;
    const MessageId held = f.accepted();
    const auto open = f.begin(held);
    REQUIRE(open);
    std::vector<MessageId> kept;
    int refused = 0;
    std::optional<bool> ended;
    {
        const SmallDisk disk(std::filesystem::file_size(f.folder.file("smsrack.db-wal")) +
                             std::uintmax_t{64} * 1024);  // a dozen messages
        for (int i = 0; i < 400; ++i) {
            auto message = f.message();
            message.ref = "r" + std::to_string(i);
            const auto answer = f.accept(message);
            if (answer) {
                kept.push_back(answer->id);
            } else {
                CHECK(answer.error().code == Errc::storage);
                ++refused;
            }
        }
        CHECK(refused > 0);
        CHECK(f.begin(kept[0]).error().code == Errc::storage);
        f.store->post(f.taken(held, *open, 0, 1),
                      [&](Result<ports::AttemptApplied> applied) { ended = applied.has_value(); });
        f.store->writer().step(f.clock.steady());
        CHECK_FALSE(ended);  // it insists
        CHECK(f.log.count("store_fails") == 1);
        CHECK(f.state(held) == MessageState::sending);  // reading continues
    }
    CHECK(f.count(MessageState::queued) == static_cast<std::int64_t>(kept.size()));
    f.clock.advance(std::chrono::seconds(1));
    f.run();
    CHECK(ended == true);
    CHECK(f.state(held) == MessageState::sent);
    CHECK(f.log.count("store_recovers") == 1);
    auto again = f.message();
    again.ref = "r399";  // refused before: it must not be taken for known
    CHECK_FALSE(f.accept(again)->repeated);
    CHECK(problems(f).empty());
    f.reopen();
    CHECK(f.count(MessageState::queued) == static_cast<std::int64_t>(kept.size() + 1));
}

TEST_CASE("durability: an end that a full disk refused is moved by a clock that is set meanwhile") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    const ports::EndAttempt end = f.refused(id, *attempt);
    const ClockMove move{.after = f.clock.wall() - std::chrono::days(1),
                         .until = f.clock.wall(),
                         .by = -std::chrono::hours(3)};
    std::vector<std::string> done;
    {
        const SmallDisk disk(std::filesystem::file_size(f.folder.file("smsrack.db-wal")));
        f.store->post(end, [&](const Result<ports::AttemptApplied>& kept) {
            done.push_back(kept ? "end" : "end refused");
        });
        f.store->writer().step(f.clock.steady());
        f.store->post(ports::MoveTimes{move}, [&](const Result<std::size_t>& moved) {
            done.push_back(moved ? "move" : "move refused");
        });
        f.store->writer().step(f.clock.steady());
        f.clock.set_date(f.clock.wall() + move.by);
        CHECK(done.empty());
    }
    f.clock.advance(std::chrono::seconds(1));
    f.run();
    CHECK(done == std::vector<std::string>{"end", "move"});
    CHECK(f.detail(id).message.due_at == *end.due_at + move.by);
}

TEST_CASE("durability: the end of a message waits for room on a full disk") {
    StoreFixture f;
    const MessageId id = given_out(f);
    check_insists(f,
                  ports::FinishMessage{.message = id,
                                       .event = MessageEvent::give_up,
                                       .detail = "tries_used",
                                       .at = f.clock.wall()},
                  [&] { return f.state(id) == MessageState::failed; });
}

TEST_CASE("durability: the restart of a message waits for room on a full disk") {
    StoreFixture f;
    const MessageId id = given_out(f);
    const WallTime due = f.clock.wall() + std::chrono::minutes(7);
    check_insists(f,
                  ports::RestartMessage{
                      .message = id, .detail = "sim_lost", .due_at = due, .at = f.clock.wall()},
                  [&] {
                      const auto message = f.detail(id).message;
                      return message.due_at == due && message.detail == "sim_lost";
                  });
}

TEST_CASE("durability: a message that is put off waits for room on a full disk") {
    StoreFixture f;
    const MessageId id = given_out(f);
    const WallTime until = f.clock.wall() + std::chrono::minutes(7);
    check_insists(f, ports::PutOff{.message = id, .until = until, .at = f.clock.wall()},
                  [&] { return f.detail(id).message.due_at == until; });
}

TEST_CASE(
    "durability: kill -9 at any moment loses no answer that was given, and leaves the database "
    "whole") {
    StoreFixture f;
    f.store.reset();
    std::set<std::int64_t> promised;
    for (int round = 0; round < 5; ++round) {
        std::array<int, 2> answers{};
        REQUIRE(pipe(answers.data()) == 0);
        const pid_t child = fork();
        if (child == 0) {
            auto opened = f.try_open();
            if (!opened) {
                _exit(1);
            }
            f.store = *std::move(opened);
            for (;;) {
                f.store->post(ports::Accept{f.message()}, [&](Result<ports::Accepted> a) {
                    (void)!write(answers[1], &a->id.value, sizeof a->id.value);
                    f.store->post(
                        ports::BeginAttempt{
                            .message = a->id, .modem = "m0", .sim = f.sim, .at = f.clock.wall()},
                        {});
                });
                f.store->writer().step(f.clock.steady());
            }
        }
        close(answers[1]);
        const auto read_answers = [&](int most) {
            std::int64_t id = 0;
            for (int n = 0; n < most && read(answers[0], &id, sizeof id) == sizeof id; ++n) {
                CHECK(promised.insert(id).second);  // no number twice
            }
        };
        read_answers(5 + 17 * round);  // then wherever it is
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFSIGNALED(status));
        read_answers(std::numeric_limits<int>::max());
        close(answers[0]);
    }
    f.open();
    CHECK(promised.size() > 10);
    for (const std::int64_t id : promised) {
        const MessageState state = f.state(MessageId{id});
        CHECK((state == MessageState::queued || state == MessageState::uncertain));
    }
    CHECK(problems(f).empty());
    CHECK(f.look([](ports::StoreReader& r) { return r.uncertain({}, 100'000); })->size() ==
          static_cast<std::size_t>(f.count(MessageState::uncertain)));
}

TEST_CASE("durability: what was given to the store before its end is written") {
    StoreFixture f;
    int answered = 0;
    for (int i = 0; i < 1'000; ++i) {
        f.store->post(ports::Accept{f.message()},
                      [&](Result<ports::Accepted> a) { answered += a ? 1 : 0; });
    }
    f.reopen();
    CHECK(answered == 1'000);
    CHECK(f.count(MessageState::queued) == 1'000);
}

TEST_CASE(
    "durability: a state folder has one process at a time, and the second learns who the first "
    "is") {
    StoreFixture f;
    const auto second = f.try_open();
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Errc::busy);
    CHECK(second.error().context.contains(std::to_string(getpid())));
    f.reopen();
}

TEST_CASE("durability: a folder that is not there is an error that names it") {
    StoreFixture f({.path = "/nonexistent/smsrack/smsrack.db"}, StoreFixture::Begin::closed);
    const auto opened = f.try_open();
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == Errc::storage);
    CHECK(opened.error().context.contains("/nonexistent/smsrack"));
}

TEST_CASE("durability: the database is not for others to read") {
    StoreFixture f;
    using std::filesystem::perms;
    const auto mode = std::filesystem::status(f.folder.file("smsrack.db")).permissions();
    CHECK((mode & perms::others_all) == perms::none);
    f.accepted();
    const auto log = std::filesystem::status(f.folder.file("smsrack.db-wal")).permissions();
    CHECK((log & perms::others_all) == perms::none);
}
