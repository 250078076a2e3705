// What a box is answered, and what the engine has, when one of them or the link fails.
#include "tests/db/postgres/cut_proxy.hpp"
#include "tests/db/postgres/postgres_rig.hpp"
#include "tests/fleet/conformance/fleet_in_rig.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fmt/format.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::SharedStage;
using test::FleetInRig;

namespace {

constexpr const char* count_one = "SELECT count(*) FROM smsrack.messages WHERE id = 7";

/// Of a box whose connection broke.
ports::Seat enter_again(test::PostgresRig& rig, std::size_t box) {
    std::optional<ports::Seat> seat;
    REQUIRE(rig.run_until([&] {
        const auto answer = test::ask(
            rig, box,
            ports::EnterFleet{.who = FleetInRig::who(box), .release = FleetInRig::release});
        seat = answer ? std::optional(answer->seat) : std::nullopt;
        return seat.has_value();
    }));
    return *seat;
}

void set_standbys(test::PostgresRig& rig, const std::string& names) {
    rig.control().ask("ALTER SYSTEM SET synchronous_standby_names = '" + names + "'");
    rig.control().ask("SELECT pg_reload_conf()");
    REQUIRE(rig.run_until(
        [&] { return rig.control().ask("SHOW synchronous_standby_names") == names; }));
    rig.pass(300ms);  // each session reads it before its next command
}

}  // namespace

TEST_CASE("postgres engine: a cut link leaves an unknown outcome, and the box enters again") {
    struct Case {
        const char* what;
        test::Break how;
        const char* found;
    };
    const test::PostgresServer server({.parent = test::TempDir::memory()});
    int number = 0;
    for (const Case& it : {Case{"the request is lost", test::Break::before_request, "0"},
                           Case{"the answer is lost", test::Break::before_answer, "1"}}) {
        CAPTURE(std::string(it.what));
        const std::string database = fmt::format("cut{}", ++number);
        test::prepare_database(server, database);
        test::CutProxy proxy(server.socket_file());
        const auto direct = server.conninfo(database, "box");
        test::PostgresRig rig(
            server.conninfo(database),
            {fmt::format("host={} dbname={} user=box", proxy.folder(), database), direct, direct});
        FleetInRig fleet(rig);
        fleet.keep(0, 1, 1, SharedStage::held);
        proxy.break_next(it.how);
        const auto cut = fleet.put(0, {FleetInRig::message(7)});
        REQUIRE_FALSE(cut);
        CHECK(cut.error().code == Errc::outcome_unknown);
        REQUIRE(rig.run_until([&] { return rig.control().ask(count_one) == it.found; }));
        // Nothing of a seat before the fleet is entered again, though its epoch is the newest.
        REQUIRE(rig.run_until([&] { return rig.engine(0).is_connected(); }));
        CHECK(fleet.put(0, {FleetInRig::message(8)}).error().code == Errc::closed);
        fleet.seats[0] = enter_again(rig, 0);
        CHECK(fleet.stage(1) == SharedStage::waiting);
        CHECK(fleet.put_one(0, FleetInRig::message(7)).outcome == ports::PutOutcome::kept);
        CHECK(rig.control().ask(count_one) == "1");
    }
}

TEST_CASE("postgres engine: what was answered kept is there after all its processes were killed") {
    test::PostgresServer server({.parent = test::TempDir::memory()});
    test::prepare_database(server, "killed");
    for (int round = 0; round < 3; ++round) {
        const auto box = server.conninfo("killed", "box");
        auto rig = std::make_unique<test::PostgresRig>(server.conninfo("killed"),
                                                       std::array{box, box, box});
        auto fleet = std::make_unique<FleetInRig>(*rig);
        std::vector<std::pair<std::int64_t, std::shared_ptr<test::Pending<ports::PutAnswers>>>>
            puts;
        for (std::int64_t i = 0; i < 150; ++i) {
            const auto by = static_cast<std::size_t>(i % 3);
            const std::int64_t first = round * 1'000'000 + i * 100;
            ports::PutMessages put{.seat = fleet->seats[by]};
            for (std::int64_t id = first + 1; id <= first + 20; ++id) {
                put.messages.push_back(FleetInRig::message(id));
            }
            puts.emplace_back(first, test::post(*rig, by, std::move(put)));
            if (i == 100 + round * 20) {
                REQUIRE(rig->run_until([&] { return puts.at(3).second->is_there(); }));
                server.kill_all();
            }
        }
        REQUIRE(rig->run_until([&] {
            return std::ranges::all_of(puts,
                                       [](const auto& put) { return put.second->is_there(); });
        }));
        fleet.reset();
        rig.reset();
        server.start();
        test::Session control(server.conninfo("killed"));
        std::set<Errc> seen;
        for (const auto& [first, pending] : puts) {
            const auto answer = pending->get();
            const auto there = control.number(
                fmt::format("SELECT count(*) FROM smsrack.messages WHERE id > {} AND id <= {}",
                            first, first + 20));
            CHECK((there == 0 || there == 20));
            if (answer) {
                CHECK(there == 20);
            } else {
                seen.insert(answer.error().code);
                CHECK((answer.error().code != Errc::closed || there == 0));
            }
        }
        CHECK(seen.contains(Errc::closed));
        CHECK(control.ask("SELECT (SELECT count(*) FROM smsrack.work) = "
                          "(SELECT sum(held + firm) FROM smsrack.tallies)") == "t");
    }
}

TEST_CASE("postgres engine: a commit whose wait for the standby was cancelled is unknown") {
    const test::PostgresServer server({.parent = test::TempDir::memory()});
    test::PostgresRig rig(server);
    FleetInRig fleet(rig);
    CHECK_FALSE(fleet.beat(0).two_disks);
    set_standbys(rig, "absent");
    const auto put = test::post(
        rig, 0, ports::PutMessages{.seat = fleet.seats[0], .messages = {FleetInRig::message(7)}});
    rig.pass(300ms);
    REQUIRE_FALSE(put->is_there());
    CHECK(rig.control().ask(count_one) == "0");  // others do not see it yet
    rig.control().ask(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
        "WHERE application_name = 'smsrack box0'");
    REQUIRE(rig.run_until([&] { return put->is_there(); }));
    CHECK(put->get().error().code == Errc::outcome_unknown);
    CHECK(rig.control().ask(count_one) == "1");
    rig.control().ask("SET synchronous_commit = local");
    set_standbys(rig, "");
    CHECK(fleet.put_one(0, FleetInRig::message(7)).outcome == ports::PutOutcome::kept);
}

TEST_CASE(
    "postgres engine: two disks are answered only where a synchronous standby has the message") {
    test::PostgresServer server({.parent = test::TempDir::memory()});
    test::PostgresRig rig(server);
    FleetInRig fleet(rig);
    const auto is_good = [&](const char* name) {
        const auto facts = test::must(test::ask(rig, 0, ports::CheckEngine{}));
        const auto fact = std::ranges::find(facts, name, &ports::EngineFact::name);
        REQUIRE(fact != facts.end());
        return fact->good;
    };
    CHECK_FALSE(fleet.put(0, {FleetInRig::message(1)})->two_disks);
    CHECK_FALSE(is_good("synchronous_standby"));
    CHECK_FALSE(is_good("max_slot_wal_keep_size"));
    for (const char* name : {"version", "synchronous_commit", "data_checksums", "wal_disk",
                             "schema", "role", "pg_monitor", "oldest_transaction"}) {
        CAPTURE(std::string(name));
        CHECK(is_good(name));
    }
    const auto standby = server.make_standby("second");
    set_standbys(rig, "second");
    CHECK(rig.run_until([&] { return fleet.put(0, {FleetInRig::message(1)})->two_disks; }));
    CHECK(fleet.beat(1).two_disks);
    CHECK(is_good("synchronous_standby"));
    set_standbys(rig, "");  // as Patroni does when the standby is away
    CHECK_FALSE(fleet.put(0, {FleetInRig::message(2)})->two_disks);
}

TEST_CASE("postgres engine: a box that is frozen at any moment does not hold the fence") {
    const test::PostgresServer server({.parent = test::TempDir::memory(), .loopback = true});
    test::prepare_database(server, "frozen");
    const auto box = server.conninfo_tcp("frozen", "box");
    constexpr std::chrono::milliseconds lease{3'000};
    const pid_t child = ::fork();
    if (child == 0) {  // another box, which puts and takes without a pause
        test::PostgresRig rig(box, {box, box, box}, lease);
        const ports::BoxName who{.name = "other", .key = "key"};
        (void)test::must(test::ask(rig, 0, ports::RegisterBox{.who = who}));
        for (std::int64_t id = 1;; id += 300) {
            auto entry =
                test::ask(rig, 0, ports::EnterFleet{.who = who, .release = FleetInRig::release});
            while (entry) {
                ports::PutMessages put{.seat = entry->seat};
                for (std::int64_t i = 0; i < 256; ++i) {
                    put.messages.push_back(FleetInRig::message(id + i));
                    // The answer to a take is more than the buffers of the sockets hold.
                    put.messages.back().message.form.assign(40'000, 'x');
                }
                id += 300;
                if (!test::ask(rig, 0, std::move(put)) ||
                    !test::ask(
                        rig, 0,
                        ports::TakeMessages{entry->seat, {{.group = "g", .limit = 256}}, {}})) {
                    break;
                }
            }
        }
    }
    {
        test::PostgresRig rig(server.conninfo("frozen"), {box, box, box}, lease);
        FleetInRig fleet(rig);
        const auto other = [&] {
            const auto all = fleet.beat(0);
            const auto row = std::ranges::find(all.boxes, "other", &ports::BoxRow::name);
            return row == all.boxes.end() ? ports::BoxRow{} : *row;
        };
        REQUIRE(rig.run_until([&] { return other().epoch.value > 0; }));
        for (int round = 0; round < 12; ++round) {
            rig.pass(std::chrono::milliseconds(100 + 37 * round));
            REQUIRE(::kill(child, SIGSTOP) == 0);
            const auto begin = std::chrono::steady_clock::now();
            CHECK(test::wait_for(lease, [&] {
                const auto seen = other();
                return test::ask(rig, 1,
                                 ports::TakeOver{.seat = fleet.seats[1],
                                                 .from = {.box = seen.box, .epoch = seen.epoch},
                                                 .beats = seen.beats})
                    .has_value();
            }));
            CHECK(std::chrono::steady_clock::now() - begin < lease);
            REQUIRE(::kill(child, SIGCONT) == 0);
        }
    }
    (void)::kill(child, SIGKILL);
    (void)::waitpid(child, nullptr, 0);
}

TEST_CASE("postgres engine: a transaction that its box leaves open is ended by the engine") {
    const test::PostgresServer server({.parent = test::TempDir::memory()});
    test::PostgresRig rig(server);
    const FleetInRig fleet(rig);
    constexpr std::chrono::milliseconds lease{3'000};
    const auto pq = postgres::PqLibrary::load();
    const auto plan = postgres::connect_plan(
        **pq, server.conninfo(rig.control().ask("SELECT current_database()")),
        postgres::EngineTimes::of(lease), "box0");
    std::string conninfo;
    for (const auto& [word, value] : plan->at(0)) {
        std::string quoted;
        for (const char c : value) {
            quoted += c == '\\' ? "\\\\" : std::string(1, c);
        }
        conninfo += fmt::format("{}='{}' ", word, quoted);
    }
    test::Session frozen(conninfo);
    frozen.ask("BEGIN");
    frozen.ask(fmt::format("SELECT smsrack.fence({}, {})", fleet.seats[0].box.value,
                           fleet.seats[0].epoch.value));
    const auto begin = std::chrono::steady_clock::now();
    REQUIRE(fleet.take_over(1, 0));
    CHECK(std::chrono::steady_clock::now() - begin < lease);
}

TEST_CASE("postgres engine: while the engine is away each command is answered closed at once") {
    test::QuietLog log;
    const host::SystemClock clock;
    const auto engine = test::must(postgres::PostgresEngine::make(
        {.conninfo = "host=/nowhere,/elsewhere dbname=x", .box = "box0"}, clock, log));
    engine->start();
    for (int i = 0; i < 3; ++i) {
        test::Pending<std::vector<ports::EngineFact>> pending;
        engine->post(ports::CheckEngine{}, [&](auto answer) { pending.set(std::move(answer)); });
        REQUIRE(test::wait_for(1s, [&] { return pending.is_there(); }));
        CHECK(pending.get().error().code == Errc::closed);
        CHECK(pending.get().error().retry_after.has_value());
    }
    engine->stop();
    CHECK(log.count("engine_away") == 1);
    CHECK(postgres::PostgresEngine::make({.conninfo = "hosts=x"}, clock, log).error().code ==
          Errc::bad_config);
}
