#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

void inject(test::World& world, modem_sim::Fault fault) {
    world.modems.modem(0).inject(world.clock.steady(), fault);
}

modem_sim::Fault refusal(int code, int count = 1) {
    modem_sim::Fault fault = modem_sim::make_fault(modem_sim::FaultKind::cms_error);
    fault.code = code;
    fault.count = count;
    return fault;
}

modem_sim::Fault report_fault(modem_sim::FaultKind kind, int code,
                              std::chrono::milliseconds delay = 0ms) {
    return {.kind = kind, .code = code, .delay = delay};
}

bool ends(test::World& world, MessageId id, MessageState state,
          std::chrono::milliseconds limit = 1'200s) {
    return world.run(limit, [&] { return world.state(id) == state; });
}

/// Bits 4 and 3 of the TPDU's first octet.
unsigned validity_format(const test::Submitted& submit) {
    const auto octet = [&](std::size_t at) {
        return static_cast<unsigned char>(submit.pdu.at(at));
    };
    return (octet(1 + std::size_t{octet(0)}) >> 3U) & 3U;
}

}  // namespace

TEST_CASE("results: a refusal for its validity period is sent again without one") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, refusal(198));
    const MessageId id = world.send("+33612345678", "hello");
    CHECK(ends(world, id, MessageState::delivered));
    const auto& submits = world.modems.journal.submits;
    REQUIRE(submits.size() == 1);
    CHECK(validity_format(submits[0]) == 0);
    const MessageId next = world.send("+33612345678", "another");
    CHECK(ends(world, next, MessageState::delivered));
    CHECK(validity_format(submits[1]) == 2);
}

TEST_CASE("results: codes that may pass once do not pass twice") {
    for (const int code : {21, 127, 255, 198}) {
        CAPTURE(code);
        test::World world({.modems = 2});
        REQUIRE(world.run_until_ready());
        world.modems.modem(0).inject(world.clock.steady(), refusal(code, 10));
        world.modems.modem(1).inject(world.clock.steady(), refusal(code, 10));
        const MessageId id = world.send("+33612345678", "hello");
        CHECK(ends(world, id, MessageState::failed));
        CHECK(world.detail(id).attempts.size() == 2);
    }
}

TEST_CASE("results: a duplicate that is refused after a doubt had arrived; else it is a refusal") {
    test::World world({.modems = 1, .toml = "[queue]\nuncertain = \"resend\"\nuncertain_s = 10\n"});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::lose_answer});
    const MessageId doubt = world.send({.to = "+33612345678", .text = "hello", .report = false});
    CHECK(ends(world, doubt, MessageState::uncertain));
    inject(world, refusal(197));
    CHECK(ends(world, doubt, MessageState::sent));
    CHECK(world.modems.journal.submits.size() == 1);
    inject(world, refusal(197));
    const MessageId first = world.send("+33612345678", "hello");
    CHECK(ends(world, first, MessageState::failed));
}

TEST_CASE("results: a report comes late, early, twice, or by a clock of another zone") {
    struct Row {
        const char* so;
        modem_sim::Fault fault;
    };
    using enum modem_sim::FaultKind;
    for (const Row& row : {
             Row{"an hour late", report_fault(late_report, 0, 3'600s)},
             Row{"before the answer to its submit", report_fault(early_report, 0, 300ms)},
             Row{"a temporary one first", report_fault(temporary_report, 0x21, 60s)},
             Row{"seven hours ahead", report_fault(report_zone, 28)},
             Row{"five and three quarters behind", report_fault(report_zone, -23)},
         }) {
        CAPTURE(row.so);
        test::World world({.modems = 1});
        REQUIRE(world.run_until_ready());
        inject(world, row.fault);
        const MessageId id = world.send("+33612345678", "hello");
        CHECK(ends(world, id, MessageState::delivered, 4'000s));
        CHECK(world.detail(id).segments.at(0).tp_status == 0);
        CHECK(world.detail(id).history.size() == 4);
    }
}

TEST_CASE("results: a long message of which one segment was not delivered is undelivered, partly") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, report_fault(modem_sim::FaultKind::report_status, 0x43));
    const MessageId id = world.send("+33612345678", std::string(400, 'x'));
    CHECK(ends(world, id, MessageState::undelivered));
    world.run_for(10s);
    const auto detail = world.detail(id);
    CHECK(detail.message.partial);
    CHECK(detail.message.cause.code == 0x43);
    REQUIRE(detail.segments.size() == 3);
    CHECK(detail.segments[0].state == MessageState::undelivered);
}

TEST_CASE("results: when the references have wrapped, a report still resolves a doubt") {
    test::World world({.modems = 1, .service = 5s});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (int i = 0; i < 300; ++i) {
        ids.push_back(world.send("+33612345678", fmt::format("{}", i)));
    }
    REQUIRE(world.run(7'200s, [&] { return world.state(ids.back()) == MessageState::delivered; }));
    inject(world, {.kind = modem_sim::FaultKind::lose_answer});
    const MessageId doubt = world.send("+33612345678", "in doubt");
    CHECK(ends(world, doubt, MessageState::delivered));
    CHECK(world.modems.journal.submits.size() == 301);
}

TEST_CASE("results: what comes in says which of our numbers was answered, and which message") {
    test::World world({.modems = 2, .toml = "[defaults]\ncountry = \"+33\"\n"});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send("+33612345678", "well?");
    CHECK(ends(world, id, MessageState::delivered));
    const unsigned by = world.modems.journal.submits.at(0).modem;
    REQUIRE(world.modems.modem(by).offer(world.clock.steady(),
                                         {.id = 1, .from = "+33612345678", .text = "yes"}));
    REQUIRE(world.run(30s, [&] { return world.inbox().size() == 1; }));
    const auto row = world.inbox().at(0);
    CHECK(row.to == modem_sim::make_identity(by).number);
    CHECK(row.reply_to == id);
}

TEST_CASE("results: what is unreadable, and what comes twice, is kept once and leaves the SIM") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, modem_sim::make_fault(modem_sim::FaultKind::undecodable));
    inject(world, modem_sim::make_fault(modem_sim::FaultKind::duplicate_inbound));
    REQUIRE(world.modems.modem(0).offer(world.clock.steady(),
                                        {.id = 1, .from = "+33612345678", .text = "yes"}));
    REQUIRE(world.run(60s, [&] { return world.inbox().size() == 2; }));
    world.run_for(120s);
    const auto rows = world.inbox();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].undecodable != rows[1].undecodable);
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    world.run_for(60s);
    CHECK(world.inbox().size() == 2);
}

TEST_CASE("results: equal messages of one second are as many as the network delivered") {
    for (const bool killed : {false, true}) {
        CAPTURE(killed);
        test::World world({.modems = 1});
        REQUIRE(world.run_until_ready());
        for (std::uint64_t id = 1; id <= 5; ++id) {
            REQUIRE(world.modems.modem(0).offer(
                world.clock.steady(), {.id = id, .from = "+33612345678", .text = "ALARM zone 4"}));
        }
        if (killed) {
            REQUIRE(world.run(60s, [&] { return !world.inbox().empty(); }));
            world.crash_and_restart();
            REQUIRE(world.run_until_ready());
        }
        REQUIRE(world.run(120s, [&] { return world.inbox().size() >= 5; }));
        world.run_for(600s);
        CHECK(world.inbox().size() == 5);
    }
}

TEST_CASE(
    "results: a report that came while the service was down is matched, also where SIMs have "
    "quotas") {
    for (const std::string quota : {"", "quota = { per_day = 100 }\n"}) {
        CAPTURE(quota);
        // One that pushes when its service is killed discards reports after 15 s: 3GPP TS 27.005 3.4.1.
        test::World world({.modems = 1, .modem_toml = "push = false\n" + quota});
        REQUIRE(world.run_until_ready());
        inject(world, report_fault(modem_sim::FaultKind::late_report, 0, 30s));
        const MessageId id = world.send("+33612345678", "hello");
        CHECK(ends(world, id, MessageState::sent));
        REQUIRE(world.modems.modem(0).offer(world.clock.steady(),
                                            {.id = 1, .from = "+33612345678", .text = "yes"}));
        world.crash_and_restart();
        world.clock.advance(60s);
        (void)world.modems.step();
        // What came is read meanwhile.
        inject(world, modem_sim::make_fault(modem_sim::FaultKind::network_lost));
        world.run_for(30s);
        inject(world, modem_sim::make_fault(modem_sim::FaultKind::network_back));
        CHECK(ends(world, id, MessageState::delivered, 60s));
        CHECK(world.run(60s, [&] { return world.inbox().size() == 1; }));
        CHECK(world.inbox().at(0).reply_to == id);
    }
}

TEST_CASE("results: an answer that comes after the policy said again spares the second sending") {
    for (const bool is_long : {false, true}) {
        CAPTURE(is_long);
        test::World world({.modems = 1,
                           .toml = "[queue]\nuncertain = \"resend\"\nuncertain_s = 10\n"
                                   "[defaults]\nsubmit_timeout_s = 5\n"});
        REQUIRE(world.run_until_ready());
        inject(world, {.kind = modem_sim::FaultKind::late_answer, .delay = 30s});
        const MessageId id = world.send({.to = "+33612345678",
                                         .text = is_long ? std::string(400, 'x') : "hello",
                                         .report = false});
        CHECK(ends(world, id, MessageState::uncertain));
        CHECK(ends(world, id, MessageState::sending));  // the policy; its line still waits
        CHECK(ends(world, id, MessageState::sent));
        world.run_for(60s);
        CHECK(world.modems.journal.submits.size() == (is_long ? 3 : 1));
    }
}

TEST_CASE("results: an answer later than any deadline ends the doubt, also after a kill") {
    for (const bool killed : {false, true}) {
        CAPTURE(killed);
        test::World world({.modems = 1, .toml = "[defaults]\nsubmit_timeout_s = 5\n"});
        REQUIRE(world.run_until_ready());
        inject(world, {.kind = modem_sim::FaultKind::late_answer, .delay = 40s});
        const MessageId id = world.send({.to = "+33612345678", .text = "hello", .report = false});
        world.run_for(3s);
        if (killed) {
            world.crash_and_restart();
        }
        CHECK(ends(world, id, MessageState::uncertain));
        CHECK(ends(world, id, MessageState::sent));
        CHECK(world.modems.journal.submits.size() == 1);
    }
}

TEST_CASE("results: under the policy resend only the segment in doubt goes again") {
    test::World world({.modems = 2, .toml = "[queue]\nuncertain = \"resend\"\nuncertain_s = 10\n"});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::lose_answer});
    world.modems.modem(1).inject(world.clock.steady(), {.kind = modem_sim::FaultKind::lose_answer});
    const MessageId id =
        world.send({.to = "+33612345678", .text = std::string(400, 'x'), .report = false});
    CHECK(ends(world, id, MessageState::sent));
    CHECK(world.modems.journal.submits.size() <= 5);  // three segments; each modem lost one answer
    CHECK(world.detail(id).message.segments == 3);
}

TEST_CASE(
    "results: a report that comes after a message was given up is reported with its attempt") {
    for (const bool answered : {false, true}) {
        CAPTURE(answered);  // too late as well
        test::World world(
            {.modems = 1, .toml = "[queue]\nuncertain_s = 10\n[defaults]\nsubmit_timeout_s = 5\n"});
        REQUIRE(world.run_until_ready());
        inject(world,
               answered ? modem_sim::Fault{.kind = modem_sim::FaultKind::late_answer, .delay = 60s}
                        : modem_sim::Fault{.kind = modem_sim::FaultKind::lose_answer});
        inject(world, report_fault(modem_sim::FaultKind::late_report, 0, 3'600s));
        const MessageId id = world.send("+33612345678", "hello");
        CHECK(ends(world, id, MessageState::failed));
        world.run_for(2h);
        const auto detail = world.detail(id);
        CHECK(detail.message.state == MessageState::failed);
        CHECK(detail.segments.at(0).tp_status == 0);
        CHECK((detail.attempts.at(0).outcome.kind == OutcomeKind::accepted) == answered);
        const auto& notes = detail.attempts[0].notes;
        REQUIRE_FALSE(notes.empty());
        CHECK(notes.back().kind == ports::NoteKind::late_report);
    }
}
