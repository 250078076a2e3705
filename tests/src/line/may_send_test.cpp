#include "src/line/may_send.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using line::MaySend;

namespace {

constexpr SimId own{5};
constexpr SimId other{6};
const std::string ann = "+33612345678";
const std::string bob = "+33699999999";

/// A message of two segments, encoded just now.
queue::OutSlot slot_at(WallTime now) {
    queue::OutSlot slot;
    slot.message.body.to = ann;
    slot.message.created_at = now;
    slot.message.expires_at = now + 24h;
    slot.pdus = {"first", "second"};
    slot.encoded_at = now;
    return slot;
}

line::SimQuota quota_of(QuotaWindow window, std::uint32_t limit, const Clock& clock) {
    line::SimQuotaSettings settings;
    settings.limits.by_window.at(static_cast<std::size_t>(window)) = limit;
    return {settings, clock};
}

}  // namespace

TEST_CASE("may_send: the gate stops what has not begun") {
    test::ManualClock clock;
    queue::OutSlot slot = slot_at(clock.wall());
    const auto asked = [&](bool gate_open) {
        return line::may_send({.gate_open = gate_open, .sim = own}, {.other_can_send = false}, slot,
                              clock)
            .what;
    };
    CHECK(asked(true) == MaySend::yes);
    CHECK(asked(false) == MaySend::gate_shut);
    slot.message.pinned_sim = own;
    CHECK(asked(false) == MaySend::yes);
    slot.message.pinned_sim = other;
    CHECK(asked(true) == MaySend::other_sim);
}

TEST_CASE("may_send: which SIM a message goes out with") {
    struct Row {
        const char* what;
        bool sticky = false;
        bool self_sms = false;
        line::Route route = {};
        MaySend answer = MaySend::yes;
    };
    test::ManualClock clock;
    for (const Row& row : {
             Row{.what = "any SIM does, and a line may decide that alone"},
             Row{.what = "the recipient knows this SIM", .sticky = true, .route = {.known = own}},
             Row{.what = "the recipient knows a SIM that can send",
             .sticky = true,
             .route = {.known = other, .other_can_send = true},
             .answer = MaySend::other_sim},
             Row{.what = "the recipient knows a SIM that cannot send",
             .sticky = true,
             .route = {.known = other, .other_can_send = false}},
             Row{.what = "a line does not see whether that SIM can send",
             .sticky = true,
             .route = {.known = other},
             .answer = MaySend::other_sim},
             Row{.what = "dispatch chooses the first SIM of a recipient",
             .sticky = true,
             .route = {.other_can_send = false}},
             Row{.what = "and a line does not",
             .sticky = true,
             .route = {},
             .answer = MaySend::other_sim},
             Row{.what = "a message to the rack goes to another SIM than its own",
             .self_sms = true,
             .route = {.to_itself = true, .other_can_send = true},
             .answer = MaySend::other_sim},
             Row{.what = "to its own where no other one can send",
             .self_sms = true,
             .route = {.to_itself = true, .other_can_send = false}},
             Row{.what = "to another one at once",
             .self_sms = true,
             .route = {.to_itself = false, .other_can_send = true}},
             Row{.what = "and a line leaves that to dispatch",
             .self_sms = true,
             .route = {},
             .answer = MaySend::other_sim},
         }) {
        CAPTURE(row.what);
        queue::OutSlot slot = slot_at(clock.wall());
        slot.message.sticky = row.sticky;
        slot.message.self_sms = row.self_sms;
        CHECK(line::may_send({.sim = own}, row.route, slot, clock).what == row.answer);
    }
}

TEST_CASE("may_send: the quota must have room for the rest of the message, and for its recipient") {
    struct Row {
        const char* what;
        QuotaWindow window;
        std::uint32_t limit;
        std::uint8_t first_segment;
        const char* to;
        MaySend answer;
    };
    test::ManualClock clock;
    for (const Row& row : {
             Row{"both segments fit", QuotaWindow::day, 3, 0, ann.c_str(), MaySend::yes},
             Row{"one of two fits", QuotaWindow::day, 2, 0, ann.c_str(), MaySend::no_room},
             Row{"the one that is left fits", QuotaWindow::day, 2, 1, ann.c_str(), MaySend::yes},
             Row{"no new recipient", QuotaWindow::recipients, 1, 0, ann.c_str(),
                 MaySend::no_recipient},
             Row{"a known recipient", QuotaWindow::recipients, 1, 0, bob.c_str(), MaySend::yes},
         }) {
        CAPTURE(row.what);
        line::SimQuota quota = quota_of(row.window, row.limit, clock);
        quota.known({});
        (void)quota.count(clock.wall(), line::recipient_hash(bob));
        queue::OutSlot slot = slot_at(clock.wall());
        slot.message.body.to = row.to;
        slot.first_segment = row.first_segment;
        const auto answer = line::may_send({.sim = own, .quota = &quota}, {}, slot, clock);
        CHECK(answer.what == row.answer);
        CHECK(answer.pause.has_value() == (row.answer != MaySend::yes));
    }
}

TEST_CASE("may_send: until the store has said what the SIM has sent, nothing is sent") {
    test::ManualClock clock;
    const line::SimQuota quota = quota_of(QuotaWindow::day, 100, clock);
    const auto answer =
        line::may_send({.sim = own, .quota = &quota}, {}, slot_at(clock.wall()), clock);
    CHECK(answer.what == MaySend::no_room);
    REQUIRE(answer.pause);
    CHECK_FALSE(answer.pause->until);
}

TEST_CASE("may_send: before the codec the rows of the segments say how many there are") {
    test::ManualClock clock;
    line::SimQuota quota = quota_of(QuotaWindow::day, 2, clock);
    quota.known({});
    (void)quota.count(clock.wall(), line::recipient_hash(bob));
    queue::OutSlot slot = slot_at(clock.wall());
    slot.pdus.clear();
    slot.message.segments = {MessageState::sent, MessageState::queued};
    CHECK(line::quota_pause(&quota, slot, 0));
    CHECK_FALSE(line::quota_pause(&quota, slot, 1));
    CHECK_FALSE(line::quota_pause(nullptr, slot, 0));
}

TEST_CASE("may_send: an expired message is not sent, and an old validity period is refreshed") {
    test::ManualClock clock;
    const queue::OutSlot slot = slot_at(clock.wall());
    const auto asked = [&] { return line::may_send({.sim = own}, {}, slot, clock).what; };
    CHECK(asked() == MaySend::yes);
    clock.advance(10s);
    CHECK(asked() == MaySend::stale);
    clock.advance(24h);
    CHECK(asked() == MaySend::expired);
}

TEST_CASE("may_send: the answer is the first reason against it") {
    test::ManualClock clock;
    queue::OutSlot slot = slot_at(clock.wall() - 25h);  // expired, and its validity is old
    line::SimQuota quota = quota_of(QuotaWindow::day, 2, clock);
    quota.known({});
    (void)quota.count(clock.wall(), line::recipient_hash(bob));
    slot.message.sticky = true;
    line::Sender sender{.gate_open = false, .sim = own, .quota = &quota};
    line::Route route{.known = other, .other_can_send = true};
    const auto asked = [&] { return line::may_send(sender, route, slot, clock).what; };
    CHECK(asked() == MaySend::gate_shut);
    sender.gate_open = true;
    CHECK(asked() == MaySend::expired);  // it need not wait for another SIM, or for room
    slot.message.expires_at = clock.wall() + 1h;
    CHECK(asked() == MaySend::other_sim);
    route.known = own;
    CHECK(asked() == MaySend::no_room);
    sender.quota = nullptr;
    CHECK(asked() == MaySend::stale);
}
