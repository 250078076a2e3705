#include "src/dispatch/self_sms/self_sms.hpp"

#include "src/sms/self_sms.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using dispatch::GroupQuiet;
using dispatch::self_sms_due;
using dispatch::self_sms_recipient;
using dispatch::SelfSmsLine;

namespace {

constexpr SteadyTime now{100h};

/// All that was heard is two hours old, but for what a case says.
GroupQuiet silent_group() {
    GroupQuiet group{.may_send = true, .probed = now - 2h};
    group.heard.fill(now - 2h);
    return group;
}

}  // namespace

TEST_CASE("self_sms_due: the level that was silent for longest, once in the time for a group") {
    struct Row {
        const char* so;
        void (*change)(GroupQuiet&);
        std::optional<Level> due;
    };
    for (const Row& row : {
             Row{"all equally silent: the highest", [](GroupQuiet&) {}, 6},
             Row{"one is silent for longer", [](GroupQuiet& g) { g.heard[2] -= 1s; }, 2},
             Row{"the highest heard of a message half an hour ago",
                 [](GroupQuiet& g) { g.heard[6] = now - 30min; }, 5},
             Row{"exactly the time ago is silent", [](GroupQuiet& g) { g.heard.fill(now - 1h); },
                 6},
             Row{"all heard of something a moment less ago",
                 [](GroupQuiet& g) { g.heard.fill(now - 1h + 1ms); }, std::nullopt},
             Row{"the group had a probe within the time",
                 [](GroupQuiet& g) { g.probed = now - 1h + 1ms; }, std::nullopt},
             Row{"quiet hours of the lower levels: the next that may",
                 [](GroupQuiet& g) {
                     g.heard[0] -= 1h;
                     g.heard[1] -= 30min;
                     g.quiet_hours[0] = true;
                 },
                 1},
             Row{"quiet hours of all", [](GroupQuiet& g) { g.quiet_hours.fill(true); },
                 std::nullopt},
             Row{"paused, or no line can send", [](GroupQuiet& g) { g.may_send = false; },
                 std::nullopt},
         }) {
        CAPTURE(row.so);
        GroupQuiet group = silent_group();
        row.change(group);
        CHECK(self_sms_due(group, 1h, now) == row.due);
    }
}

TEST_CASE("self_sms_recipient: a SIM that is not the sender's, in turn") {
    const SelfSmsLine own{.number = "+1", .receives = true, .of_group = true};
    const SelfSmsLine other{.number = "+2", .receives = true};
    const SelfSmsLine unknown{.receives = true};
    const SelfSmsLine away{.number = "+3"};
    struct Row {
        const char* so;
        std::vector<SelfSmsLine> lines;
        std::size_t turn;
        std::optional<std::size_t> to;
    };
    for (const Row& row : {
             Row{"of another group rather than of this one", {own, other, own}, 0, 1},
             Row{"also in the next turn", {own, other, own}, 1, 1},
             Row{"one after the other", {own, own, own}, 4, 1},
             Row{"not where the number is not known", {unknown, own}, 0, 1},
             Row{"nor where the modem is away", {away, own}, 1, 1},
             Row{"nobody", {unknown, away}, 0, std::nullopt},
             Row{"no line at all", {}, 3, std::nullopt},
         }) {
        CAPTURE(row.so);
        CHECK(self_sms_recipient(row.lines, row.turn) == row.to);
    }
}

TEST_CASE("self-SMS: the text gives back its ref, also within other words; nothing else does") {
    constexpr std::uint64_t token = 0x00'00'01'23'45'67'89'abULL;
    const std::string text = self_sms_text(token);
    CHECK(self_sms_ref_in(text) == self_sms_ref(token));
    CHECK(self_sms_ref_in("Advertisement: " + text + " - join us") == self_sms_ref(token));
    CHECK(self_sms_ref_in(self_sms_text(~0ULL)) == self_sms_ref(~0ULL));
    for (const char* other :
         {"", "smsrack", "smsrack self-sms ", "smsrack self-sms 0123456789abcde",
          "smsrack self-sms 0123456789ABCDEF", "STOP"}) {
        CAPTURE(other);
        CHECK(!self_sms_ref_in(other));
    }
}
