// Bulk senders over SMPP while service and gate are killed and upgraded: nothing lost, nothing doubled, each message with one receipt.
#include "tests/programs/support/smpp_load.hpp"
#include "tests/programs/support/smpp_neighbours.hpp"
#include "tests/programs/support/smpp_rack.hpp"
#include "tests/support/wait_for.hpp"
#include "tools/rig/spread.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using Order = smpp::Command;
using std::chrono::steady_clock;

constexpr std::size_t modems = 8;
constexpr std::size_t submits = 20'000;
constexpr int kills = 5;
constexpr int upgrades = 5;
constexpr auto all_done_within = 600s;
constexpr auto receipt_answer_time = 50ms;

/// Modems fast enough for some hundred messages a second. The first submits are accepted as fast as the service can;
/// then the queue is full, so that the senders meet ESME_RMSGQFUL and the submits last as long as the run.
RackPlan fast_rack() {
    return {.modems = modems,
            .sim_options = {"--service-ms", "10", "--service-dist", "exp", "--report-ms", "20",
                            "--baud", "0", "--seed", "5"},
            .config = "[queue]\ncapacity = 6_000\nuncertain_s = 10\n[priority]\nprotect = false\n"};
}

/// Of two accounts, and of all kinds of session. One account has a rate, so that it meets ESME_RTHROTTLED.
constexpr const char* accounts = "shop\nbank rate=60\n";
std::vector<SmppLoadPlan::Session> senders() {
    return {{.account = "shop", .window = 10},
            {.account = "shop", .window = 30, .kind = Order::bind_transmitter},
            {.account = "shop", .window = 50},
            {.account = "bank", .window = 20, .kind = Order::bind_transmitter},
            {.account = "bank", .window = 40, .kind = Order::bind_transmitter},
            {.account = "bank", .kind = Order::bind_receiver}};
}

/// Compares what the ESMEs submitted with the modems' journal, and counts the receipts.
struct SmppAccount {
    std::size_t lost = 0;      ///< answered, and in no modem's journal, without the receipt UNKNOWN
    std::size_t doubled = 0;   ///< in the journal more often than the ESME can have asked for
    std::size_t repeated = 0;  ///< in the journal again, since the ESME repeated what had no answer
    std::size_t unknown = 0;   ///< with the receipt UNKNOWN: sent once or not at all
    std::size_t no_receipt = 0;
    std::size_t receipts_again = 0;             ///< receipts beyond the first
    std::size_t differing = 0;                  ///< messages whose receipts say different things
    std::size_t bad_stat = 0;                   ///< neither DELIVRD nor UNKNOWN
    std::chrono::milliseconds oldest_again{0};  ///< how long before its session's end it was taken
};

SmppAccount account_of(const Rack& rack, const LoadReport& report) {
    std::map<std::string, std::size_t> journal;
    for (const Submit& submit : rack.submits()) {
        ++journal[submit.to];
    }
    SmppAccount account;
    for (const LoadMessage& message : report.messages) {
        const std::size_t times = journal[message.number];
        const auto says = [&](const std::string& stat) {
            return std::ranges::find(message.receipts, stat) != message.receipts.end();
        };
        account.unknown += says("UNKNOWN") ? 1 : 0;
        account.lost += times == 0 && !says("UNKNOWN") ? 1 : 0;
        account.doubled += times > 1 + message.unanswered ? 1 : 0;
        account.repeated += times > 1 && times <= 1 + message.unanswered ? 1 : 0;
        account.no_receipt += message.receipts.empty() ? 1 : 0;
        account.receipts_again += message.receipts.empty() ? 0 : message.receipts.size() - 1;
        account.oldest_again = std::max(account.oldest_again, message.repeated_age);
        for (const std::string& stat : message.receipts) {
            account.differing += stat != message.receipts.front() ? 1 : 0;
            account.bad_stat += stat != "DELIVRD" && stat != "UNKNOWN" ? 1 : 0;
        }
    }
    return account;
}

/// Waits until this many submits of the load were accepted, and then for a moment at which some are in flight.
void wait_until(const SmppLoad& load, std::size_t accepted) {
    constexpr std::size_t some = 20;
    CAPTURE(load.accepted());
    REQUIRE_MESSAGE(
        wait_for(all_done_within, [&] { return load.accepted() >= accepted || load.is_done(); }),
        "the ESMEs no longer get their submits accepted");
    REQUIRE_MESSAGE(
        wait_for(all_done_within, [&] { return load.in_flight() >= some || load.is_done(); }),
        "the ESMEs no longer submit");
}

void check_load(const LoadReport& report) {
    const rig::Spread answers = rig::spread_of(report.answer_ms);
    MESSAGE(
        fmt::format("{} submits in {:.1f} s: {:.0f}/s; answer p50 {:.1f} ms, p99 {:.1f} ms, "
                    "longest {:.0f} ms; {} times ESME_RTHROTTLED, {} times ESME_RMSGQFUL",
                    report.answer_ms.size(), report.seconds,
                    static_cast<double>(report.answer_ms.size()) / report.seconds, answers.p50,
                    answers.p99, answers.max, report.throttled, report.full));
    for (const std::string& fault : report.faults) {
        MESSAGE(fault);
    }
    CHECK_MESSAGE(report.fault_count == 0, "something happened that no ESME may meet, see above");
    CHECK_MESSAGE(report.early == 0, "a receipt came before the answer to its submit_sm");
    const auto without_id = std::ranges::count(report.messages, "", &LoadMessage::id);
    CHECK_MESSAGE(without_id == 0, "submits were never answered with ESME_ROK");
}

void check_account(const SmppAccount& account) {
    MESSAGE(
        fmt::format("{} lost, {} doubled, {} sent again since the ESME repeated them, {} with "
                    "outcome unknown, {} receipts twice (taken at most {} ms before the end)",
                    account.lost, account.doubled, account.repeated, account.unknown,
                    account.receipts_again, account.oldest_again.count()));
    CHECK_MESSAGE(account.lost == 0, "submits were answered with ESME_ROK and never sent");
    CHECK_MESSAGE(account.doubled == 0, "messages were sent more than once");
    CHECK_MESSAGE(account.no_receipt == 0, "messages have no receipt");
    CHECK_MESSAGE(account.differing == 0, "two receipts of one message differ");
    CHECK_MESSAGE(account.bad_stat == 0, "receipts say neither DELIVRD nor UNKNOWN");
}

}  // namespace

TEST_CASE(
    "smpp: 20,000 submits through 5 kills and 5 upgrades of the service: none lost, none twice, "
    "each with one receipt, and no session ends") {
    SmppRack rig(accounts, fast_rack());
    SmppLoad load({.port = rig.port(),
                   .sessions = senders(),
                   .messages = submits,
                   .answers_after = receipt_answer_time});
    for (std::size_t n = 1; n <= kills + upgrades; ++n) {
        wait_until(load, n * submits / (kills + upgrades + 1));
        if (n % 2 == 0) {
            rig.gate().upgrade_service();
        } else {
            rig.rack().kill_service();
            rig.rack().launch_service();
            rig.rack().wait_ready();
        }
    }
    CHECK_MESSAGE(wait_for(all_done_within, [&] { return load.is_done(); }),
                  "not every submit was accepted and had its receipt");
    const LoadReport& report = load.end();
    check_load(report);
    CHECK_MESSAGE(report.binds == senders().size(), "a session was bound again");
    CHECK_MESSAGE(report.strangers == 0, "receipts came for ids that no answer has told");
    CHECK_MESSAGE(report.throttled > 0, "the rate of an account was never met");
    CHECK_MESSAGE(report.full > 0, "the queue was never full");
    const SmppAccount account = account_of(rig.rack(), report);
    check_account(account);
    CHECK_MESSAGE(account.receipts_again == 0, "messages have more than one receipt");
    // A modem has at most one submit in flight at a kill.
    CHECK_MESSAGE(account.unknown <= kills * modems,
                  "more outcomes are unknown than kills explain");
}

TEST_CASE(
    "smpp: 20,000 submits through 5 kills of the gate: what was answered is sent once and has its "
    "receipt") {
    SmppRack rig(accounts, fast_rack());
    SmppLoad load({.port = rig.port(),
                   .sessions = senders(),
                   .messages = submits,
                   .answers_after = receipt_answer_time,
                   .survives_ends = true});
    for (std::size_t n = 1; n <= kills; ++n) {
        wait_until(load, n * submits / (kills + 1));
        rig.gate().gate().signal(SIGKILL);
        REQUIRE(rig.gate().gate().wait(20s));
        rig.start_gate();
    }
    CHECK_MESSAGE(wait_for(all_done_within, [&] { return load.is_done(); }),
                  "not every submit was accepted and had its receipt");
    const LoadReport& report = load.end();
    check_load(report);
    CHECK_MESSAGE(report.binds == (kills + 1) * senders().size(),
                  "sessions ended for another reason than a kill");
    const SmppAccount account = account_of(rig.rack(), report);
    check_account(account);
    CHECK_MESSAGE(account.unknown == 0,
                  "the outcome of a submit is unknown without a kill of the service");
    std::size_t unanswered = 0;
    for (const LoadMessage& message : report.messages) {
        unanswered += message.unanswered;
    }
    MESSAGE(fmt::format("{} submits lost their session before an answer; {} of their receipts came",
                        unanswered, report.strangers));
    CHECK_MESSAGE(unanswered > 0, "no kill met a submit in flight");
    // What the ESME acknowledged and the gate had not yet told the service comes again: of each session a window at most.
    CHECK_MESSAGE(account.receipts_again <= kills * senders().size() * 50,
                  "more receipts came again than were in flight");
    CHECK_MESSAGE(account.oldest_again <= 2s,
                  "a receipt came again that the ESME had acknowledged long before");
}

TEST_CASE("smpp: an ESME that was away gets 10,000 receipts within 10 s of its bind, each once") {
    constexpr std::size_t messages = 10'000;
    constexpr auto wanted = 10s;
    constexpr auto on_a_busy_machine = 30s;
    RackPlan plan = fast_rack();
    plan.config = "[priority]\nprotect = false\n";
    SmppRack rig("shop\n", std::move(plan));
    std::map<std::string, std::size_t> receipts;  // by id
    {
        SmppLoad load(
            {.port = rig.port(),
             .sessions = {{.account = "shop", .window = 50, .kind = Order::bind_transmitter}},
             .messages = messages,
             .wants_receipts = false});
        REQUIRE(wait_for(all_done_within, [&] { return load.is_done(); }));
        const LoadReport& report = load.end();
        check_load(report);
        for (const LoadMessage& message : report.messages) {
            receipts[message.id] = 0;
        }
    }
    REQUIRE_MESSAGE(wait_for(all_done_within,
                             [&] {
                                 auto states = rig.rack().states();
                                 return static_cast<std::size_t>(states["delivered"]) == messages;
                             }),
                    "not every message was delivered");

    const auto begun = steady_clock::now();
    rig::Esme receiver = rig.bound("shop", Order::bind_receiver);
    std::size_t taken = 0;
    while (taken < messages) {
        const auto pdu = receiver.read(10s);
        REQUIRE_MESSAGE(pdu, fmt::format("no receipt came for 10 s, after {}", taken));
        REQUIRE(pdu->header.command == Order::deliver_sm);
        receiver.answer(pdu->header);
        const std::string id = id_of(std::get<smpp::Message>(pdu->body));
        REQUIRE_MESSAGE(receipts.contains(id), "a receipt has an id that no answer has told");
        CHECK_MESSAGE(++receipts[id] == 1, "a receipt came again");
        ++taken;
    }
    const auto took = steady_clock::now() - begun;
    MESSAGE(fmt::format("10,000 receipts within {:.2f} s of the bind",
                        std::chrono::duration<double>(took).count()));
    WARN_MESSAGE(took <= wanted, "slower than it must be on a machine of its own");
    CHECK_MESSAGE(took <= on_a_busy_machine, "slower than a busy machine explains");
    CHECK_MESSAGE(!receiver.read(2s), "a receipt came again after all had come");
}

TEST_CASE(
    "smpp: clients that do not read, send octet by octet or lie about lengths do not slow the "
    "submits of others") {
    constexpr std::size_t messages = 6'000;  // some 10 s at the rates below
    RackPlan plan = fast_rack();
    plan.config = "[priority]\nprotect = false\n";
    SmppRack rig("shop rate=300\nbank rate=300\nbad sessions=20\n", std::move(plan));
    const auto run = [&](std::size_t first) {
        SmppLoad load(
            {.port = rig.port(),
             .sessions = {{.account = "shop", .window = 10}, {.account = "bank", .window = 10}},
             .messages = messages,
             .first = first});
        REQUIRE(wait_for(all_done_within, [&] { return load.is_done(); }));
        const LoadReport& report = load.end();
        check_load(report);
        CHECK_MESSAGE(account_of(rig.rack(), report).receipts_again == 0, "receipts came twice");
        return rig::spread_of(report.answer_ms);
    };
    const rig::Spread alone = run(0);
    SmppNeighbours neighbours(rig.port(), "bad");
    REQUIRE_MESSAGE(wait_for(60s, [&] { return neighbours.closed() > 0; }),
                    "the server keeps a client that never reads");
    const std::size_t turns_before = neighbours.turns();
    const rig::Spread crowded = run(messages);
    const std::size_t turns = neighbours.turns() - turns_before;
    CHECK(neighbours.end() == "");
    MESSAGE(
        fmt::format("answer p99 {:.1f} ms alone, {:.1f} ms among hostile clients, which wrote "
                    "{} times; {} of their connections were closed",
                    alone.p99, crowded.p99, turns, neighbours.closed()));
    CHECK_MESSAGE(turns > 100, "the hostile clients were too slow to disturb");
    constexpr double most_ms = 500;
    CHECK_MESSAGE(crowded.p99 < most_ms, "hostile clients slow the answers to others");
}

}  // namespace smsrack::test
