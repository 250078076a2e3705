#include "db/engine/write_batcher.hpp"

#include "db/engine/connection.hpp"
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

using namespace smsrack;
using db::Lane;
using db::WriteBatcher;
using test::StoreFixture;

namespace {

/// Writes down what happened, in order.
struct Frame final : db::BatchFrame {
    bool announce(db::WriteJob& job) override { return job.announce(heard); }
    void begin() override {
        if (broken) {
            throw db::StorageFailure{{.code = Errc::storage, .detail = 10}};
        }
        said += '(';
    }
    void commit() override {
        if (full) {
            throw db::StorageFailure{{.code = Errc::storage, .detail = 13}};
        }
        if (failure) {
            throw db::StorageFailure{*failure};
        }
        said += ')';
    }
    void committed() override {}
    void rolled_back(const Error&) override { said += '!'; }
    void given_up(const Error&) override { said += 'x'; }
    void rest(bool) override {}
    test::Heard heard;
    std::string said = {};
    bool full = false;
    bool broken = false;
    std::optional<Error> failure = {};  // of the commit
};

/// Says its name when it is applied, and counts how that ends.
struct NamedJob final : db::WriteJob {
    void run() override {
        said += name;
        if (also) {
            also();
        }
    }
    void complete(const Error* failure) override { failure == nullptr ? ++kept : ++lost; }
    [[nodiscard]] bool insists() const override { return refused == ports::Refused::insist; }
    [[nodiscard]] bool may_wait() const override { return waits; }
    bool announce(ports::StoreListener&) override { return announces; }

    NamedJob(char its_name, std::function<void()> does_also, ports::Refused policy,
             std::string& says, int& counts_kept, int& counts_lost)
        : name(its_name),
          also(std::move(does_also)),
          refused(policy),
          said(says),
          kept(counts_kept),
          lost(counts_lost) {}

    const char name;
    const std::function<void()> also;
    const ports::Refused refused;
    bool waits = false;
    bool announces = false;
    std::string& said;
    int& kept;
    int& lost;
};

struct BatcherFixture {
    explicit BatcherFixture(const db::BatchLimits& limits = {})
        : batcher(limits, frame, waiter, clock) {}

    void post(Lane lane, char name, std::function<void()> also = {},
              ports::Refused refused = ports::Refused::tell) {
        if (lane == Lane::intake) {
            REQUIRE(batcher.reserve_intake());
        }
        batcher.post(lane, std::make_unique<NamedJob>(name, std::move(also), refused, frame.said,
                                                      kept, lost));
    }
    /// As the end of an attempt.
    void post_end(char name) {
        auto job = std::make_unique<NamedJob>(name, nullptr, ports::Refused::insist, frame.said,
                                              kept, lost);
        job->waits = true;
        batcher.post(Lane::line, std::move(job));
    }
    /// As a message that a free line begins at once.
    void post_announced(char name) {
        REQUIRE(batcher.reserve_intake());
        auto job =
            std::make_unique<NamedJob>(name, nullptr, ports::Refused::tell, frame.said, kept, lost);
        job->announces = true;
        batcher.post(Lane::intake, std::move(job));
    }
    SteadyTime step() { return batcher.step(clock.steady()); }

    test::ManualClock clock;
    test::NoWaiter waiter;
    Frame frame;
    WriteBatcher batcher;
    int kept = 0;
    int lost = 0;
};

}  // namespace

TEST_CASE("write batcher: whatever waits is one transaction, the lines' jobs first") {
    BatcherFixture f;
    f.post(Lane::intake, 'a');
    f.post(Lane::upkeep, 'u');
    f.post(Lane::line, 'L');
    f.post(Lane::intake, 'b');
    f.post(Lane::line, 'M');
    f.step();
    CHECK(f.frame.said == "(LMabu)");
    CHECK(f.kept == 5);
    CHECK(f.batcher.step(f.clock.steady()) == never);
}

TEST_CASE("write batcher: intake takes a bounded part of a batch") {
    BatcherFixture f({.intake_jobs = 2});
    for (const char name : {'a', 'b', 'c'}) {
        f.post(Lane::intake, name);
    }
    f.step();
    CHECK(f.frame.said == "(ab)");
    f.step();
    CHECK(f.frame.said == "(ab)(c)");
}

TEST_CASE(
    "write batcher: a line's job that comes while intake is applied joins that batch and ends it") {
    BatcherFixture f;
    for (int i = 0; i < 40; ++i) {
        f.post(Lane::intake, 'i', [&f, i] {
            if (i == 3) {
                f.post(Lane::line, 'L');
            }
        });
    }
    f.step();
    CHECK(f.frame.said == "(" + std::string(16, 'i') + "L)");
}

TEST_CASE("write batcher: intake that costs more than its time leaves the rest to the next batch") {
    BatcherFixture f;
    for (int i = 0; i < 40; ++i) {
        f.post(Lane::intake, 'i', [&f] { f.clock.advance(std::chrono::milliseconds(1)); });
    }
    f.step();
    CHECK(f.frame.said == "(" + std::string(16, 'i') + ")");
}

TEST_CASE("write batcher: upkeep is one job a batch, and waits while lines do") {
    BatcherFixture f({.line_jobs = 1});
    f.post(Lane::upkeep, 'u');
    f.post(Lane::upkeep, 'v');
    f.post(Lane::line, 'L');
    f.post(Lane::line, 'M');
    for (int i = 0; i < 3; ++i) {
        f.step();
    }
    CHECK(f.frame.said == "(L)(Mu)(v)");
}

TEST_CASE(
    "write batcher: a commit that fails is the answer to all of its batch, and the next one is "
    "tried again") {
    BatcherFixture f;
    f.post(Lane::line, 'L');
    f.post(Lane::intake, 'a');
    f.frame.full = true;
    f.step();
    CHECK(f.frame.said == "(La!");
    CHECK(f.lost == 2);
    f.frame.full = false;
    f.post(Lane::line, 'M');
    f.step();
    CHECK(f.frame.said == "(La!(M)");
    CHECK(f.kept == 1);
}

TEST_CASE("write batcher: a job that fails on the disk takes its whole batch back") {
    BatcherFixture f;
    f.post(Lane::line, 'L');
    f.post(Lane::line, 'X', [] { throw db::StorageFailure{{.code = Errc::storage}}; });
    f.post(Lane::line, 'M');
    f.step();
    CHECK(f.frame.said == "(LX!");
    CHECK(f.lost == 2);
    f.step();
    CHECK(f.frame.said == "(LX!(M)");
    CHECK(f.kept == 1);
}

TEST_CASE(
    "write batcher: a job that insists comes before all that was posted after the disk refused "
    "it") {
    BatcherFixture f;
    f.frame.full = true;
    f.post(Lane::intake, 'a');
    f.post(Lane::line, 'I', {}, ports::Refused::insist);
    f.post(Lane::line, 'J', {}, ports::Refused::insist);
    f.step();
    CHECK(f.lost == 1);
    f.frame.full = false;
    f.clock.advance(std::chrono::seconds(1));
    f.post(Lane::line, 'L');
    f.step();
    CHECK(f.frame.said == "(IJa!(IJL)");
    CHECK(f.kept == 3);
    CHECK(f.lost == 1);
}

TEST_CASE(
    "write batcher: until one that insists is tried again, all others are refused, and those that "
    "insist wait") {
    for (const bool at_commit : {false, true}) {
        CAPTURE(at_commit);
        BatcherFixture f;
        f.frame.full = at_commit;
        bool full = !at_commit;
        f.post(
            Lane::line, 'I',
            [&full] {
                if (full) {
                    throw db::StorageFailure{{.code = Errc::storage, .detail = 13}};
                }
            },
            ports::Refused::insist);
        f.post(Lane::line, 'L');
        f.post(Lane::intake, 'a');
        f.post(Lane::upkeep, 'u');
        f.step();
        const SteadyTime again = f.clock.steady() + std::chrono::seconds(1);
        CHECK(f.batcher.step(f.clock.steady()) == again);
        CHECK(f.lost == 3);
        f.post(Lane::line, 'M');
        f.post(Lane::line, 'J', {}, ports::Refused::insist);
        CHECK(f.batcher.step(f.clock.steady()) == again);
        CHECK(f.lost == 4);
        f.frame.full = full = false;
        f.frame.said.clear();
        f.clock.advance(std::chrono::seconds(1));
        f.post(Lane::line, 'N');
        f.step();
        CHECK(f.frame.said == "(IJN)");
        CHECK(f.kept == 3);
    }
}

TEST_CASE("write batcher: no intake goes before one that insists and was posted earlier") {
    BatcherFixture f({.line_jobs = 1});
    f.post(Lane::line, 'L');
    f.post(Lane::line, 'I', {}, ports::Refused::insist);
    f.post(Lane::intake, 'a');
    f.step();
    CHECK(f.frame.said == "(L)");
    f.step();
    CHECK(f.frame.said == "(L)(Ia)");
}

TEST_CASE("write batcher: where nothing else comes, a job that insists is tried once a second") {
    BatcherFixture f;
    f.frame.full = true;
    f.post(Lane::line, 'I', {}, ports::Refused::insist);
    f.step();
    const SteadyTime again = f.batcher.step(f.clock.steady());
    CHECK(again == f.clock.steady() + std::chrono::seconds(1));
    CHECK(f.frame.said == "(I!");
    f.clock.advance(std::chrono::seconds(1));
    f.step();
    CHECK(f.frame.said == "(I!(I!");
    f.frame.full = false;
    f.clock.advance(std::chrono::seconds(1));
    f.step();
    CHECK(f.frame.said == "(I!(I!(I)");
    CHECK(f.kept == 1);
    CHECK(f.batcher.step(f.clock.steady()) == never);
}

TEST_CASE(
    "write batcher: those that insist stay in their order, whichever of them the disk refused") {
    BatcherFixture f;
    bool full = true;
    const auto fill = [&full] {
        if (full) {
            throw db::StorageFailure{{.code = Errc::storage, .detail = 13}};
        }
    };
    f.post(Lane::line, 'I', {}, ports::Refused::insist);
    f.post(Lane::line, 'J', fill, ports::Refused::insist);
    f.post(Lane::line, 'K', {}, ports::Refused::insist);
    f.step();
    for (int i = 0; i < 2; ++i) {
        full = i == 0;
        f.step();
        f.clock.advance(std::chrono::seconds(1));
        f.step();
    }
    CHECK(f.frame.said == "(IJ!(IJ!(IJK)");
    CHECK(f.kept == 3);
}

TEST_CASE(
    "write batcher: a job that insists and would fail again is notified and logged, and holds up "
    "nothing") {
    struct Case {
        const char* what;
        Errc code;
        int sqlite;
        bool insists;
    };
    for (const Case& c : {
             Case{"a full disk", Errc::storage, 13, true},
             Case{"a disk that fails to write", Errc::storage, 778, true},
             Case{"a disk that fails to sync", Errc::storage, 1034, true},
             Case{"a disk that became read-only", Errc::storage, 8, true},
             Case{"a lock", Errc::storage, 5, true},
             Case{"no memory", Errc::storage, 7, true},
             Case{"rows that contradict the write", Errc::storage, 19, false},
             Case{"a fault of ours", Errc::storage, 1, false},
             Case{"a damaged database", Errc::damaged_database, 11, false},
         }) {
        CAPTURE(c.what);
        BatcherFixture f;
        bool fails = true;
        f.post(Lane::line, 'H', {}, ports::Refused::insist);
        f.post(
            Lane::line, 'I',
            [&] {
                if (fails) {
                    throw db::StorageFailure{{.code = c.code, .detail = c.sqlite}};
                }
            },
            ports::Refused::insist);
        f.post(Lane::line, 'J', {}, ports::Refused::insist);
        f.step();
        CHECK(f.lost == (c.insists ? 0 : 1));
        fails = false;
        f.clock.advance(std::chrono::seconds(c.insists ? 1 : 0));
        f.step();
        CHECK(f.frame.said == (c.insists ? "(HI!(HIJ)" : "(HI!x(HJ)"));
        CHECK(f.kept == (c.insists ? 3 : 2));
    }
}

TEST_CASE("write batcher: a job that insists and can't read is tried five times in all") {
    for (const bool reads_in_the_end : {true, false}) {
        CAPTURE(reads_in_the_end);
        BatcherFixture f;
        int tries = 0;
        f.post(
            Lane::line, 'I',
            [&] {
                ++tries;
                if (!reads_in_the_end || tries < 5) {
                    throw db::StorageFailure{{.code = Errc::storage, .detail = 266}};
                }
            },
            ports::Refused::insist);
        f.post(Lane::line, 'J', {}, ports::Refused::insist);
        for (int i = 0; i < 8; ++i) {
            f.step();
            f.clock.advance(std::chrono::seconds(1));
        }
        CHECK(tries == 5);
        CHECK(f.kept == (reads_in_the_end ? 2 : 1));
        CHECK(f.lost == (reads_in_the_end ? 0 : 1));
        CHECK(f.frame.said == (reads_in_the_end ? "(I!(I!(I!(I!(IJ)" : "(I!(I!(I!(I!(I!x(J)"));
    }
}

TEST_CASE("write batcher: while one insists, each post that comes later wakes the writer") {
    BatcherFixture f;
    f.frame.full = true;
    f.post(Lane::line, 'I', {}, ports::Refused::insist);
    f.step();
    f.step();  // it sleeps until it tries again
    for (int i = 1; i <= 3; ++i) {
        const int before = f.waiter.woken;
        f.post(Lane::intake, 'a');
        CHECK(f.waiter.woken == before + 1);
        f.step();
        CHECK(f.lost == i);
    }
}

TEST_CASE("write batcher: in a damaged database nothing insists; a disk that fails is waited for") {
    for (const Errc code : {Errc::damaged_database, Errc::storage}) {
        BatcherFixture f;
        f.frame.failure = Error{.code = code, .detail = 10};
        f.post(Lane::line, 'I', {}, ports::Refused::insist);
        f.step();
        CHECK(f.lost == (code == Errc::damaged_database ? 1 : 0));
        f.frame.failure.reset();
        f.clock.advance(std::chrono::seconds(1));
        f.step();
        CHECK(f.kept == (code == Errc::damaged_database ? 0 : 1));
    }
}

TEST_CASE("write batcher: a job that insists learns at the end that the disk refuses still") {
    BatcherFixture f;
    f.frame.full = true;
    f.post(Lane::line, 'I', {}, ports::Refused::insist);
    f.step();
    f.batcher.drain();
    CHECK(f.frame.said == "(I!(I!");
    CHECK(f.lost == 1);
}

TEST_CASE("write batcher: places of intake are bounded, and free again when the jobs are taken") {
    BatcherFixture f({.intake_waiting_max = 2});
    f.post(Lane::intake, 'a');
    f.post(Lane::intake, 'b');
    CHECK_FALSE(f.batcher.reserve_intake());
    f.step();
    f.post(Lane::intake, 'c');
    f.post(Lane::intake, 'd');
    CHECK_FALSE(f.batcher.reserve_intake());
}

TEST_CASE(
    "write batcher: places of intake are neither lost nor made by a batch that fails half-way") {
    BatcherFixture f({.intake_waiting_max = 4});
    f.post(Lane::intake, 'X', [] { throw db::StorageFailure{{.code = Errc::storage}}; });
    f.post(Lane::intake, 'a');
    f.post(Lane::intake, 'b');
    f.step();
    CHECK(f.frame.said == "(X!");
    f.step();
    CHECK(f.frame.said == "(X!(ab)");
    for (const char name : {'c', 'd', 'e', 'f'}) {
        f.post(Lane::intake, name);
    }
    CHECK_FALSE(f.batcher.reserve_intake());
}

TEST_CASE("write batcher: where no transaction can begin, all that wait are notified") {
    BatcherFixture f({.intake_waiting_max = 1});
    f.post(Lane::line, 'L');
    f.post(Lane::intake, 'a');
    f.post(Lane::upkeep, 'u');
    f.frame.broken = true;
    f.step();
    CHECK(f.lost == 3);
    CHECK(f.batcher.step(f.clock.steady()) == never);
    f.frame.broken = false;
    f.post(Lane::intake, 'b');
    f.step();
    CHECK(f.frame.said == "!(b)");
}

TEST_CASE(
    "write batcher: the writer is woken when it had nothing, and not again until it has looked") {
    BatcherFixture f;
    f.post(Lane::line, 'L');
    f.post(Lane::line, 'M');
    CHECK(f.waiter.woken == 1);
    f.batcher.drain();
    f.post(Lane::line, 'N');
    CHECK(f.waiter.woken == 2);
}

TEST_CASE("write batcher: transactions, writes and failures are counted, and timed") {
    BatcherFixture f;
    stats::Stats stats;
    f.batcher.count_in(stats);
    f.post(Lane::intake, 'a');
    f.post(Lane::line, 'L', [&f] { f.clock.advance(std::chrono::milliseconds(3)); });
    f.step();
    CHECK(stats.value(stats::Counter::store_transactions) == 1);
    CHECK(stats.value(stats::Counter::store_writes) == 2);
    CHECK(stats.histogram(stats::Timing::commit).snapshot().sum == std::chrono::milliseconds(3));
    f.frame.full = true;
    f.post(Lane::line, 'M');
    f.step();
    CHECK(stats.value(stats::Counter::store_failures) == 1);
    CHECK(stats.value(stats::Counter::store_transactions) == 1);
    CHECK(stats.histogram(stats::Timing::commit).snapshot().total == 2);
}

TEST_CASE("write batcher: where lines and intake never pause, upkeep runs every 100 ms") {
    BatcherFixture f({.intake_jobs = 1});
    int upkeep = 0;
    SteadyTime last = f.clock.steady();
    std::chrono::nanoseconds longest{0};
    std::function<void()> next = [&] {
        ++upkeep;
        longest = std::max(longest, f.clock.steady() - last);
        last = f.clock.steady();
        f.post(Lane::upkeep, 'u', next);
    };
    f.post(Lane::upkeep, 'u', next);
    SUBCASE("a line's job comes during each batch") {
        for (int batch = 0; batch < 1'000; ++batch) {
            f.post(Lane::intake, 'i', [&] { f.post(Lane::line, 'L'); });
            f.step();
            f.clock.advance(std::chrono::milliseconds(8));
        }
    }
    SUBCASE("more jobs of lines wait than a batch takes") {
        for (int batch = 0; batch < 1'000; ++batch) {
            for (std::size_t i = 0; i < db::BatchLimits{}.line_jobs + 1; ++i) {
                f.post(Lane::line, 'L');
            }
            f.step();
            f.clock.advance(std::chrono::milliseconds(8));
        }
    }
    CHECK(longest <= std::chrono::milliseconds(104));  // and the batch in which it is due
    CHECK(upkeep >= 76);
    CHECK(upkeep <= 80);
}

TEST_CASE("write batcher: a job that may wait is committed with the next one, in its order") {
    using namespace std::chrono_literals;
    BatcherFixture f({.share_within = 100ms});
    f.post_end('e');
    const SteadyTime until = f.clock.steady() + 100ms;
    CHECK(f.step() == until);
    CHECK(f.frame.said.empty());
    f.clock.advance(99ms);
    f.post_end('f');  // it does not make the first one wait longer
    CHECK(f.step() == until);
    f.post(Lane::line, 'L');
    f.step();
    CHECK(f.frame.said == "(efL)");
    CHECK(f.kept == 3);
    CHECK(f.step() == never);
}

TEST_CASE("write batcher: a job that may wait has its own commit when its time is over") {
    using namespace std::chrono_literals;
    BatcherFixture f({.share_within = 100ms});
    f.post_end('e');
    CHECK(f.step() == f.clock.steady() + 100ms);
    f.clock.advance(100ms);
    f.step();
    CHECK(f.frame.said == "(e)");
    f.post_end('f');  // and the next one waits as long
    CHECK(f.step() == f.clock.steady() + 100ms);
    f.clock.advance(1h);
    f.step();
    CHECK(f.frame.said == "(e)(f)");
}

TEST_CASE("write batcher: work of any lane ends the waiting") {
    using namespace std::chrono_literals;
    for (const Lane lane : {Lane::line, Lane::intake, Lane::upkeep}) {
        CAPTURE(static_cast<int>(lane));
        BatcherFixture f({.share_within = 100ms});
        f.post_end('e');
        f.step();
        f.post(lane, 'w');
        f.step();
        CHECK(f.frame.said == "(ew)");
    }
}

TEST_CASE("write batcher: without a time to share, no job waits") {
    BatcherFixture f;
    f.post_end('e');
    f.step();
    CHECK(f.frame.said == "(e)");
}

TEST_CASE("write batcher: the end of the store waits for nothing") {
    using namespace std::chrono_literals;
    BatcherFixture f({.share_within = 100ms});
    f.post_end('e');
    f.step();
    f.batcher.drain();
    CHECK(f.frame.said == "(e)");
    CHECK(f.kept == 1);
}

TEST_CASE("write batcher: what the disk refuses after it waited insists as before") {
    using namespace std::chrono_literals;
    BatcherFixture f({.share_within = 100ms});
    f.frame.full = true;
    f.post_end('e');
    f.step();
    f.clock.advance(100ms);
    f.step();
    CHECK(f.frame.said == "(e!");
    CHECK(f.step() == f.clock.steady() + 1s);
    f.frame.full = false;
    f.clock.advance(1s);
    f.step();
    CHECK(f.frame.said == "(e!(e)");
    CHECK(f.kept == 1);
}

TEST_CASE("write batcher: what announces itself is committed with what follows, and before it") {
    using namespace std::chrono_literals;
    BatcherFixture f;
    f.post_announced('a');
    CHECK(f.step() == f.clock.steady() + 3ms);
    CHECK(f.frame.said.empty());
    f.clock.advance(1ms);
    CHECK(f.step() == f.clock.steady() + 2ms);  // woken for nothing
    const int woken = f.waiter.woken;
    f.post(Lane::line, 'B');
    CHECK(f.waiter.woken == woken + 1);
    f.step();
    CHECK(f.frame.said == "(aB)");
    CHECK(f.kept == 2);
    CHECK(f.step() == never);
}

TEST_CASE("write batcher: what announces itself has its own commit when nothing follows") {
    using namespace std::chrono_literals;
    BatcherFixture f;
    f.post_announced('a');
    f.step();
    f.clock.advance(3ms);
    f.step();
    CHECK(f.frame.said == "(a)");
    f.post(Lane::intake, 'b');
    f.step();
    CHECK(f.frame.said == "(a)(b)");
}

TEST_CASE("write batcher: what announces itself waits for one that follows, not with other work") {
    using namespace std::chrono_literals;
    SUBCASE("the end of an attempt may wait with it") {
        BatcherFixture f({.share_within = 100ms});
        f.post_end('E');
        f.step();
        f.post_announced('a');
        CHECK(f.step() == f.clock.steady() + 3ms);
        f.post(Lane::line, 'B');
        f.step();
        CHECK(f.frame.said == "(aEB)");
    }
    SUBCASE("more intake") {
        BatcherFixture f;
        f.post_announced('a');
        f.step();
        f.post_announced('b');
        f.step();
        CHECK(f.frame.said == "(ab)");
    }
    SUBCASE("two at once are not announced") {
        BatcherFixture f;
        f.post_announced('a');
        f.post_announced('b');
        f.step();
        CHECK(f.frame.said == "(ab)");
    }
    SUBCASE("the end of the store") {
        BatcherFixture f;
        f.post_announced('a');
        f.step();
        f.batcher.drain();
        CHECK(f.frame.said == "(a)");
    }
    SUBCASE("no time for it") {
        BatcherFixture f({.follow_within = 0ms});
        f.post_announced('a');
        f.step();
        CHECK(f.frame.said == "(a)");
    }
}

TEST_CASE("write batcher: what announced itself is refused with what followed, and once") {
    BatcherFixture f;
    f.post_announced('a');
    f.step();
    f.frame.full = true;
    f.post(Lane::line, 'B');
    f.step();
    CHECK(f.frame.said == "(aB!");
    CHECK(f.lost == 2);
    f.frame.full = false;
    f.post(Lane::line, 'C');
    f.post(Lane::intake, 'd');
    f.step();
    CHECK(f.frame.said == "(aB!(Cd)");
}

TEST_CASE("write batcher: where no transaction begins, what announced itself leaves no trace") {
    BatcherFixture f;
    f.post_announced('a');
    f.step();
    f.frame.broken = true;
    f.post(Lane::line, 'B');
    f.step();
    CHECK(f.lost == 2);
    f.frame.broken = false;
    f.frame.said.clear();
    f.post(Lane::intake, 'c');
    f.post(Lane::line, 'D');
    f.step();
    CHECK(f.frame.said == "(Dc)");
}

TEST_CASE("store: the end of an attempt shares the commit of what comes next") {
    using namespace std::chrono_literals;
    StoreFixture f({.share_within = 100ms});
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    bool ended = false;
    f.store->post(f.taken(id, *attempt, 0, 5), [&](const auto& kept) { ended = kept.has_value(); });
    CHECK(f.store->writer().step(f.clock.steady()) == f.clock.steady() + 100ms);
    CHECK_FALSE(ended);
    CHECK(f.state(id) == MessageState::sending);
    f.accepted();
    CHECK(ended);
    CHECK(f.state(id) == MessageState::sent);
}

TEST_CASE("store: a process that is killed while an end waits finds the answer at its next start") {
    using namespace std::chrono_literals;
    StoreFixture f({.share_within = 100ms});
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    const ports::EndAttempt end = f.taken(id, *attempt, 0, 5);
    f.store->note_answer(*attempt, end.outcome);
    f.store->post(end);
    f.store->writer().step(f.clock.steady());
    test::TempFolder copy;  // as the killed process leaves the folder
    for (const auto& file : std::filesystem::directory_iterator(f.folder.file(""))) {
        std::filesystem::copy(file, copy.file(file.path().filename()));
    }
    StoreFixture next({.path = copy.file("smsrack.db")});
    CHECK(next.state(id) == MessageState::sent);
}
