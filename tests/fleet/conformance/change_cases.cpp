// Rules, and mail between boxes.
#include "tests/fleet/conformance/engine_cases.hpp"
#include "tests/fleet/conformance/fleet_in_rig.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using ports::RuleKind;
using Words = std::vector<std::string>;

ports::KeepRules keep(const FleetInRig& fleet, std::size_t box, const char* subject,
                      bool holds = true) {
    return {.seat = fleet.seats[box],
            .rules = {{.kind = RuleKind::pause,
                       .subject = subject,
                       .holds = holds,
                       .form = "why",
                       .number = fleet.next_rule()}}};
}

/// The subjects of rules behind `mark`, which moves.
Words read(const FleetInRig& fleet, std::size_t box, ports::ReadMark& mark, std::size_t limit = 9) {
    const auto read = ask(fleet.rig, box,
                          ports::ReadRules{.seat = fleet.seats[box], .after = mark, .limit = limit})
                          .value();
    mark = read.mark;
    Words subjects;
    for (const auto& rule : read.rules) {
        subjects.push_back((rule.holds ? "" : "no ") + rule.subject);
    }
    return subjects;
}

void rules(EngineRig& rig) {
    const FleetInRig fleet(rig);
    ports::ReadMark mark;
    CHECK(read(fleet, 1, mark).empty());
    CHECK(mark == ports::ReadMark{});
    REQUIRE(ask(rig, 0, keep(fleet, 0, "a")));
    REQUIRE(ask(rig, 0, keep(fleet, 0, "b")));
    REQUIRE(ask(rig, 1, keep(fleet, 1, "c")));
    CHECK(read(fleet, 1, mark, 2) == Words{"a", "b"});
    CHECK(read(fleet, 1, mark) == Words{"c"});
    CHECK(read(fleet, 1, mark).empty());
    // One that changed is read again, in its new place.
    REQUIRE(ask(rig, 2, keep(fleet, 2, "a", false)));
    CHECK(read(fleet, 1, mark) == Words{"no a"});
    REQUIRE(ask(rig, 2, keep(fleet, 2, "a", false)));  // the same again
    CHECK(read(fleet, 1, mark) == Words{"no a"});
    ports::ReadMark begin;
    CHECK(read(fleet, 0, begin) == Words{"b", "c", "no a"});
    const auto one = ask(rig, 0, ports::ReadRules{.seat = fleet.seats[0], .limit = 1}).value();
    CHECK(one.rules.at(0).kind == RuleKind::pause);
    CHECK(one.rules.at(0).form == "why");
    // Twice in one command: the later one holds.
    REQUIRE(ask(rig, 0,
                ports::KeepRules{
                    .seat = fleet.seats[0],
                    .rules = {{.subject = "x", .holds = true, .number = fleet.next_rule()},
                              {.subject = "x", .holds = false, .number = fleet.next_rule()}}}));
    CHECK(read(fleet, 1, mark) == Words{"no x"});
}

void repeated_rules(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const ports::KeepRules first = keep(fleet, 0, "a");
    REQUIRE(ask(rig, 0, first));
    REQUIRE(ask(rig, 1, keep(fleet, 1, "a", false)));
    REQUIRE(ask(rig, 0, first));  // its answer was lost
    ports::ReadMark mark;
    CHECK(read(fleet, 2, mark) == Words{"no a"});
    REQUIRE(ask(rig, 0, keep(fleet, 0, "a")));  // a new one is not the same
    CHECK(read(fleet, 2, mark) == Words{"a"});
    CHECK(ask(rig, 0, ports::KeepRules{.seat = fleet.seats[0]}));
    CHECK(read(fleet, 2, mark).empty());
}

/// Its mark is of before the engine was restored: it must not miss what is new.
void mark_ahead_of_the_engine(EngineRig& rig) {
    const FleetInRig fleet(rig);
    REQUIRE(ask(rig, 0, keep(fleet, 0, "a")));
    constexpr std::uint64_t far_ahead = 1'000'000'000'000;
    ports::ReadMark mark{.transaction = far_ahead, .number = 5};
    CHECK(read(fleet, 1, mark) == Words{"a"});
    CHECK(mark.transaction < far_ahead);
}

ports::SendMail send(const FleetInRig& fleet, std::size_t from, std::size_t to, Words forms) {
    ports::SendMail command{.seat = fleet.seats[from]};
    for (auto& form : forms) {
        command.mail.push_back({.to = fleet.seats[to].box, .form = std::move(form)});
    }
    return command;
}

ports::MailRead read_mail(const FleetInRig& fleet, std::size_t box, ports::ReadMark after,
                          std::size_t limit = 9) {
    return ask(fleet.rig, box,
               ports::ReadMail{.seat = fleet.seats[box], .after = after, .limit = limit})
        .value();
}

void notices(EngineRig& rig) {
    struct Noticed {
        std::atomic<int> rules = 0;
        std::atomic<int> mail = 0;
    };
    const auto noticed = std::make_shared<Noticed>();
    rig.box(2).on_notice([noticed](ports::EngineNotice notice) {
        if (notice.mail_to == BoxNumber{}) {
            ++noticed->rules;
        } else {
            noticed->mail = notice.mail_to.value;
        }
    });
    const FleetInRig fleet(rig);
    REQUIRE(ask(rig, 0, keep(fleet, 0, "a")));
    CHECK(rig.run_until([&] { return noticed->rules > 0; }));
    rig.pass(300ms);
    const int before = noticed->rules;
    REQUIRE(ask(rig, 0, ports::ReadRules{.seat = fleet.seats[0], .limit = 1}));
    REQUIRE(ask(rig, 0, send(fleet, 0, 2, {"1"})));
    rig.pass(300ms);
    CHECK(noticed->rules == before);
    CHECK(noticed->mail == 0);
    auto hurried = send(fleet, 0, 2, {"2"});
    hurried.hurries = true;
    REQUIRE(ask(rig, 0, std::move(hurried)));
    CHECK(rig.run_until([&] { return noticed->mail == fleet.seats[2].box.value; }));
    CHECK(noticed->rules == before);
    CHECK(read_mail(fleet, 2, {}).mail == Words{"1", "2"});
}

void late_rules(EngineRig& rig) {
    const FleetInRig fleet(rig);
    ports::ReadMark mark;
    REQUIRE(ask(rig, 1, keep(fleet, 1, "first")));
    CHECK(read(fleet, 2, mark) == Words{"first"});
    rig.hold_commits(0, true);
    const auto late = post(rig, 0, keep(fleet, 0, "late"));
    rig.pass(300ms);
    REQUIRE_FALSE(late->is_there());
    REQUIRE(ask(rig, 1, keep(fleet, 1, "early")));
    Words all = read(fleet, 2, mark);
    rig.hold_commits(0, false);
    REQUIRE(rig.run_until([&] { return late->is_there(); }));
    REQUIRE(late->get());
    for (const auto& more : read(fleet, 2, mark)) {
        all.push_back(more);
    }
    std::ranges::sort(all);
    CHECK(all == Words{"early", "late"});
}

void mail(EngineRig& rig) {
    const FleetInRig fleet(rig);
    REQUIRE(ask(rig, 0, send(fleet, 0, 1, {"1", "2", "3"})));
    REQUIRE(ask(rig, 0, send(fleet, 0, 1, {"4"})));
    REQUIRE(ask(rig, 0, send(fleet, 0, 2, {"other"})));
    const auto first = read_mail(fleet, 1, {}, 3);
    CHECK(first.mail == Words{"1", "2", "3"});
    CHECK(read_mail(fleet, 1, {}, 3).mail == first.mail);  // nothing is acknowledged yet
    const auto second = read_mail(fleet, 1, first.mark);
    CHECK(second.mail == Words{"4"});
    CHECK(read_mail(fleet, 1, {}).mail == Words{"4"});  // the others were removed
    const auto end = read_mail(fleet, 1, second.mark);
    CHECK(end.mail.empty());
    CHECK(end.mark == second.mark);
    CHECK(read_mail(fleet, 1, {}).mail.empty());
    CHECK(read_mail(fleet, 2, {}).mail == Words{"other"});
}

/// What a narrow link carries in seconds.
void long_mail(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const std::string letter(4'000, 'x');
    REQUIRE(ask(rig, 0, send(fleet, 0, 1, {letter, letter, letter, letter})));
    const auto first = read_mail(fleet, 1, {});
    CHECK(first.mail.size() == 3);
    CHECK(read_mail(fleet, 1, first.mark).mail.size() == 1);
    REQUIRE(ask(rig, 0, send(fleet, 0, 2, {std::string(70'000, 'x'), "next"})));
    const auto large = read_mail(fleet, 2, {});
    CHECK(large.mail.size() == 1);
    CHECK(read_mail(fleet, 2, large.mark).mail == Words{"next"});
}

void late_mail(EngineRig& rig) {
    const FleetInRig fleet(rig);
    rig.hold_commits(0, true);
    const auto late = post(rig, 0, send(fleet, 0, 2, {"a1", "a2"}));
    rig.pass(300ms);
    REQUIRE(ask(rig, 1, send(fleet, 1, 2, {"b1", "b2"})));
    const auto before = read_mail(fleet, 2, {});
    rig.hold_commits(0, false);
    REQUIRE(rig.run_until([&] { return late->is_there(); }));
    REQUIRE(late->get());
    Words all = before.mail;
    for (const auto& more : read_mail(fleet, 2, before.mark).mail) {
        all.push_back(more);
    }
    REQUIRE(all.size() == 4);
    const auto place = [&](const char* word) { return std::ranges::find(all, word) - all.begin(); };
    CHECK(place("a1") < place("a2"));
    CHECK(place("b1") < place("b2"));
    CHECK(std::max({place("a1"), place("a2"), place("b1"), place("b2")}) == 3);
}

/// Where nothing waits, a box need not ask.
void beat_says_what_waits(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto waits = [&](std::size_t box, ports::ReadMark rules, ports::ReadMark mail) {
        const auto said =
            ask(rig, box, ports::Beat{.seat = fleet.seats[box], .rules = rules, .mail = mail})
                .value();
        return std::pair(said.has_rules, said.has_mail);
    };
    using Waits = std::pair<bool, bool>;
    CHECK(waits(2, {}, {}) == Waits{false, false});
    REQUIRE(ask(rig, 0, keep(fleet, 0, "a")));
    CHECK(waits(2, {}, {}) == Waits{true, false});
    REQUIRE(ask(rig, 0, send(fleet, 0, 2, {"1"})));
    CHECK(waits(2, {}, {}) == Waits{true, true});
    CHECK(waits(1, {}, {}) == Waits{true, false});  // another one's mail
    ports::ReadMark rules;
    REQUIRE(read(fleet, 2, rules) == Words{"a"});
    const auto letters = read_mail(fleet, 2, {});
    CHECK(waits(2, rules, letters.mark) == Waits{false, false});
    constexpr ports::ReadMark far_ahead{.transaction = 1'000'000'000'000, .number = 5};
    CHECK(waits(2, far_ahead, far_ahead) == Waits{true, true});
    // What becomes visible late is said when it is there.
    rig.hold_commits(0, true);
    const auto late = post(rig, 0, keep(fleet, 0, "late"));
    rig.pass(300ms);
    REQUIRE(ask(rig, 1, keep(fleet, 1, "early")));
    (void)read(fleet, 2, rules);
    rig.hold_commits(0, false);
    REQUIRE(rig.run_until([&] { return late->is_there(); }));
    CHECK(waits(2, rules, letters.mark) == Waits{true, false});
}

constexpr std::array cases{
    EngineCase{"a rule is read once for each change, in order", rules},
    EngineCase{"a rule that becomes visible late is not missed", late_rules},
    EngineCase{"a rule that is kept again after its answer was lost undoes no later one",
               repeated_rules},
    EngineCase{"a box whose place is ahead of the engine reads from the begin",
               mark_ahead_of_the_engine},
    EngineCase{"boxes that listen are notified of a rule, and of mail that hurries", notices},
    EngineCase{"a beat says whether there is something to read", beat_says_what_waits},
    EngineCase{"mail comes in order, and is removed when it is acknowledged", mail},
    EngineCase{"long mail comes some at a time, and at least one", long_mail},
    EngineCase{"mail that becomes visible late is not missed, and each sender's order holds",
               late_mail},
};

}  // namespace

std::span<const EngineCase> change_cases() {
    return cases;
}

}  // namespace smsrack::test
