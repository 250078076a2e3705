#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string number(int i) {
    return fmt::format("+3361{:07}", i);
}

std::map<std::string, int> submits_by_number(const test::World& world) {
    std::map<std::string, int> counts;
    for (const test::Submitted& submit : world.modems.journal.submits) {
        ++counts[submit.to];
    }
    return counts;
}

void inject(test::World& world, modem_sim::Fault fault) {
    world.modems.modem(0).inject(world.clock.steady(), fault);
}

}  // namespace

TEST_CASE("rack: a message goes out, and its report comes back") {
    test::World world({.modems = 2});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send("+33612345678", "hello");
    CHECK(world.run(10s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(world.modems.journal.submits.size() == 1);
    const auto detail = world.detail(id);
    REQUIRE(detail.attempts.size() == 1);
    CHECK(detail.attempts[0].outcome.kind == OutcomeKind::accepted);
    std::vector<MessageState> states;
    for (const Event& event : detail.history) {
        states.push_back(event.state);
    }
    CHECK(states == std::vector{MessageState::queued, MessageState::sending, MessageState::sent,
                                MessageState::delivered});
}

TEST_CASE("rack: a message that meets a free line is accepted and begun in one commit") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    world.run_for(1s);
    const auto commits = [&] { return world.stats().value(stats::Counter::store_transactions); };
    const auto before = commits();
    const MessageId id = world.send("+33612345678", "hello");
    CHECK(commits() == before + 1);
    CHECK(world.run(1s, [&] { return world.state(id) == MessageState::sending; }));
    CHECK(commits() == before + 1);
    // The line has one message now, so the next one waits for it, and is accepted by itself.
    const MessageId next = world.send("+33612345679", "hello");
    CHECK(commits() == before + 2);
    CHECK(world.state(next) == MessageState::queued);
    CHECK(world.run(10s, [&] { return world.state(next) == MessageState::delivered; }));
    CHECK(world.modems.journal.submits.size() == 2);
}

TEST_CASE("rack: a message that the disk refuses after a line has it is not sent") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    world.run_for(1s);
    world.disk.fill(true);
    const auto lost = world.submit({.to = "+33612345678", .text = "lost"});
    REQUIRE_FALSE(lost);
    CHECK(lost.error().code == Errc::storage);
    world.disk.fill(false);
    world.run_for(5s);
    const MessageId id = world.send("+33612345679", "kept");
    CHECK(world.run(10s, [&] { return world.state(id) == MessageState::delivered; }));
    REQUIRE(world.modems.journal.submits.size() == 1);
    CHECK(world.modems.journal.submits.front().to == "+33612345679");
}

TEST_CASE("rack: two hundred messages over four lines, each once, a few of them long") {
    test::World world({.modems = 4, .service = 100ms, .exponential = true});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    std::map<std::string, int> expected;
    for (int i = 0; i < 200; ++i) {
        const bool is_long = i % 20 == 0;
        ids.push_back(world.send(number(i), is_long ? std::string(300, 'x') : "hello"));
        expected[number(i)] = is_long ? 2 : 1;
    }
    std::size_t ended = 0;
    CHECK(world.run(60s, [&] {
        while (ended < ids.size() && world.state(ids[ended]) == MessageState::delivered) {
            ++ended;
        }
        return ended == ids.size();
    }));
    for (const MessageId id : ids) {
        CHECK(message_state_name(world.state(id)) == "delivered");
    }
    CHECK(submits_by_number(world) == expected);
}

TEST_CASE("rack: higher levels go first, each level in order") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    world.send(number(0), "in flight");  // the line is taken while the others queue up
    world.run_for(20ms);
    for (const int priority : {0, 3, 6}) {
        for (int i = 1; i <= 3; ++i) {
            world.send({.to = number(10 * priority + i), .text = "x", .priority = priority});
        }
    }
    CHECK(world.run(30s, [&] { return world.modems.journal.submits.size() == 10; }));
    const auto place = [&](int i) {
        const auto& submits = world.modems.journal.submits;
        return std::ranges::find(submits, number(i), &test::Submitted::to) - submits.begin();
    };
    // What was encoded when the others came (two places a line) is not overtaken: so the last of each level are compared.
    CHECK(place(61) < place(62));
    CHECK(place(62) < place(63));
    CHECK(place(31) < place(32));
    CHECK(place(32) < place(33));
    CHECK(place(63) < place(31));
    CHECK(place(33) < place(3));
}

TEST_CASE("rack: an answer that never comes makes a doubt, and its report resolves it") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::lose_answer});
    const MessageId id = world.send("+33612345678", "hello");
    CHECK(world.run(300s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(world.modems.journal.submits.size() == 1);
}

TEST_CASE("rack: without a report the doubt ends as failed, never sent again") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::lose_answer});
    const MessageId id = world.send({.to = "+33612345678", .text = "hello", .report = false});
    CHECK(world.run(200s, [&] { return world.state(id) == MessageState::uncertain; }));
    CHECK(world.run(1000s, [&] { return world.state(id) == MessageState::failed; }));
    CHECK(world.detail(id).message.detail == "outcome_unknown");
    CHECK(world.modems.journal.submits.size() == 1);
}

TEST_CASE("rack: under the policy resend the doubt is sent again") {
    test::World world({.modems = 1, .toml = "[queue]\nuncertain = \"resend\"\nuncertain_s = 10\n"});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::lose_answer});
    const MessageId id = world.send({.to = "+33612345678", .text = "hello", .report = false});
    CHECK(world.run(300s, [&] { return world.state(id) == MessageState::sent; }));
    CHECK(world.modems.journal.submits.size() == 2);
}

TEST_CASE("rack: a transient refusal is tried again, a permanent one is not") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::cms_error, .code = 42});
    const MessageId passing = world.send("+33612345678", "hello");
    CHECK(world.run(60s, [&] { return world.state(passing) == MessageState::delivered; }));
    CHECK(world.detail(passing).attempts.size() == 2);
    inject(world, {.kind = modem_sim::FaultKind::cms_error, .code = 1});
    const MessageId lasting = world.send("+33612345679", "hello");
    CHECK(world.run(60s, [&] { return world.state(lasting) == MessageState::failed; }));
    CHECK(world.detail(lasting).message.cause.code == 1);
    CHECK(world.detail(lasting).attempts.size() == 1);
}

TEST_CASE("rack: a message not sent in its time expires") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::hang});
    const MessageId first = world.send("+33612345670", "takes the line");
    const MessageId id = world.send({.to = "+33612345678", .text = "code", .ttl_s = 60});
    CHECK(world.run(120s, [&] { return world.state(id) == MessageState::expired; }));
    CHECK(world.state(first) != MessageState::expired);
}

TEST_CASE("rack: a scheduled message waits for its time") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send(
        {.to = "+33612345678", .text = "later", .not_before = world.clock.wall() + 600s});
    world.run_for(590s);
    CHECK(world.state(id) == MessageState::scheduled);
    CHECK(world.modems.journal.submits.empty());
    CHECK(world.run(30s, [&] { return world.state(id) == MessageState::delivered; }));
}

TEST_CASE("rack: what comes in is read, kept once, and removed from the SIM") {
    test::World world({.modems = 2});
    const std::string long_text = std::string(200, 'y') + "\xF0\x9F\x98\x80";
    REQUIRE(world.run_until_ready());
    REQUIRE(world.modems.modem(0).offer(world.clock.steady(),
                                        {.id = 1, .from = "+33699999999", .text = "hello"}));
    REQUIRE(world.modems.modem(1).offer(world.clock.steady(),
                                        {.id = 2, .from = "+33699999998", .text = long_text}));
    CHECK(world.run(30s, [&] { return world.inbox().size() == 2; }));
    std::map<std::string, std::string> texts;
    for (const auto& row : world.inbox()) {
        texts[row.from] = row.content.text;
    }
    CHECK(texts["+33699999999"] == "hello");
    CHECK(texts["+33699999998"] == long_text);
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    world.run_for(10s);
    CHECK(world.inbox().size() == 2);
}

TEST_CASE("rack: a crash at any moment of a submit loses nothing and repeats nothing") {
    for (int moment = 0; moment < 40; ++moment) {
        CAPTURE(moment);
        test::World world(
            {.modems = 1, .seed = static_cast<std::uint64_t>(moment), .service = 20ms});
        REQUIRE(world.run_until_ready());
        const MessageId id = world.send("+33612345678", "hello");
        world.run_for(std::chrono::milliseconds(moment));
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
        CHECK(world.run(1200s, [&] { return is_final(world.state(id)); }));
        const auto count = world.modems.journal.submits.size();
        const MessageState state = world.state(id);
        CAPTURE(message_state_name(state));
        CHECK(count <= 1);
        CHECK((state == MessageState::delivered) == (count == 1));
    }
}

TEST_CASE(
    "rack: a crash after the network took a message and before that is on the disk repeats "
    "nothing") {
    test::World world({.modems = 1, .service = 20ms});
    REQUIRE(world.run_until_ready());
    const MessageId first = world.send(number(1), "taken");
    const MessageId second = world.send(number(2), "its AT+CMGS follows at once");
    REQUIRE(world.run(10s, [&] { return world.modems.journal.submits.size() == 1; }));
    world.hold_disk(true);
    world.run_for(50ms);  // +CMGS was read, and the prompt of the second one is open
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    CHECK(world.run(1200s,
                    [&] { return is_final(world.state(first)) && is_final(world.state(second)); }));
    CHECK(submits_by_number(world) == std::map<std::string, int>{{number(1), 1}, {number(2), 1}});
}
