// What a message costs the engine: put, taken, made firm, ended, in batches of 64.
#include "tests/db/postgres/postgres_rig.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <thread>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t batch = 64;

/// A form as long as that of a message of 160 characters.
std::string form_of(std::int64_t id) {
    return fmt::format(
        R"({{"to":"+336{:08}","text":"{}","ttl_s":86400,"report":true,"at":1795000000000}})",
        id % 100'000'000, std::string(160, 'x'));
}

ports::PutMessage message(std::int64_t id) {
    const auto hash = static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15U;
    return {.message = {.id = MessageId{id}, .group = "default", .form = form_of(id)},
            .checks = {.ref = fmt::format("shop ref-{}", id),
                       .fingerprint = hash,
                       .recipient = fmt::format("{:016x}", hash),
                       .client = "shop"}};
}

/// One box's whole way of `count` messages; throws where the engine refuses something.
void work(test::EngineRig& rig, std::size_t box, ports::Seat seat, std::int64_t first,
          std::int64_t count) {
    for (std::int64_t begin = first; begin < first + count; begin += batch) {
        ports::PutMessages put{.seat = seat};
        for (std::int64_t id = begin; id < begin + batch; ++id) {
            put.messages.push_back(message(id));
        }
        (void)test::must(test::ask(rig, box, std::move(put)));
        const auto taken =
            test::must(test::ask(rig, box, ports::TakeMessages{seat, {{"default", 0, batch}}, {}}));
        std::vector<MessageId> ids;
        ports::SettleMessages settle{.seat = seat};
        for (const auto& one : taken) {
            ids.push_back(one.id);
            settle.messages.push_back({.message = one.id, .state = MessageState::sent});
        }
        (void)test::must(test::ask(rig, box, ports::FirmMessages{seat, ids}));
        (void)test::must(test::ask(rig, box, std::move(settle)));
    }
}

}  // namespace

TEST_CASE(
    "postgres engine: a message costs at most 1.5 kB of the log, and little of the processor") {
    const test::PostgresServer server({.fsync = true, .options = {"max_wal_size=2GB"}});
    test::PostgresRig rig(server);
    std::vector<ports::Seat> seats;
    for (std::size_t box = 0; box < 3; ++box) {
        const ports::BoxName who{.name = std::to_string(box), .key = "k"};
        (void)test::must(test::ask(rig, box, ports::RegisterBox{.who = who}));
        seats.push_back(
            test::must(test::ask(rig, box, ports::EnterFleet{.who = who, .release = 1'000'000}))
                .seat);
    }
    work(rig, 0, seats[0], 1, 50 * batch);  // plans, caches
    rig.control().ask("CHECKPOINT");

    constexpr std::int64_t count = 150 * batch;
    const auto log = rig.control().ask("SELECT pg_current_wal_lsn()");
    const auto used = server.processor_time();
    const auto begin = std::chrono::steady_clock::now();
    {
        std::vector<std::jthread> threads;
        for (std::size_t box = 0; box < 3; ++box) {
            threads.emplace_back([&, box] {
                work(rig, box, seats[box], static_cast<std::int64_t>(box + 1) << 53, count / 3);
            });
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const auto cost =
        static_cast<double>((server.processor_time() - used).count()) / static_cast<double>(count);
    const auto octets =
        static_cast<double>(rig.control().number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '" +
                                                 log + "')::bigint")) /
        static_cast<double>(count);
    MESSAGE(fmt::format("{:.0f} messages/s, {:.1f} us, {:.0f} octets of the log for each",
                        static_cast<double>(count) / seconds.count(), cost, octets));
    CHECK(octets < 1'500);
    CHECK(
        cost <
        250);  // a guard against a plan that reads a whole table: other work on the machine counts too
}
