// What is checked over all boxes when a message is put.
#include "tests/fleet/conformance/engine_cases.hpp"
#include "tests/fleet/conformance/fleet_in_rig.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using ports::PutOutcome;
using ports::SharedStage;

/// A message with one of its checks set.
template <typename Change>
ports::PutMessage with(std::int64_t id, Change change) {
    auto put = FleetInRig::message(id);
    change(put);
    return put;
}

ports::PutMessage with_ref(std::int64_t id, const char* ref, std::uint64_t fingerprint = 5) {
    return with(id, [&](auto& put) {
        put.checks.ref = ref;
        put.checks.fingerprint = fingerprint;
    });
}
ports::PutMessage with_pair(std::int64_t id, const char* pair) {
    return with(id, [&](auto& put) { put.checks.pair = pair; });
}

void stages(EngineRig& rig) {
    const FleetInRig fleet(rig);
    auto full = FleetInRig::message(7);
    full.message.level = 5;
    full.message.batch = "spring";
    full.message.sticky_iccid = "8933";
    full.message.form = R"({"to":"+33'612","text":"a \"b\" {c,d} \\ NULL é €"})";
    fleet.keep(0, 1, 1, SharedStage::waiting);
    fleet.keep(0, 2, 1, SharedStage::held);
    fleet.keep(0, 3, 1, SharedStage::firm);
    REQUIRE(fleet.put_one(0, full).outcome == PutOutcome::kept);
    CHECK(fleet.stage(1) == SharedStage::waiting);
    CHECK(fleet.stage(2) == SharedStage::held);
    CHECK(fleet.stage(3) == SharedStage::firm);
    CHECK(fleet.find(2)->seat == fleet.seats[0]);
    CHECK(fleet.find(3)->seat == fleet.seats[0]);
    CHECK_FALSE(fleet.find(4));
    const auto taken = ask(rig, 1,
                           ports::TakeMessages{.seat = fleet.seats[1],
                                               .wishes = {{.group = "g", .lowest = 4, .limit = 5}}})
                           .value();
    REQUIRE(taken.size() == 1);
    CHECK(taken[0].id == full.message.id);
    CHECK(taken[0].group == full.message.group);
    CHECK(taken[0].level == full.message.level);
    CHECK(taken[0].batch == full.message.batch);
    CHECK(taken[0].sticky_iccid == full.message.sticky_iccid);
    CHECK(taken[0].form == full.message.form);
}

void put_twice(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto command = [](SharedStage stage) {
        auto put = with_pair(1, "t topic 336");
        put.checks.ref = "r";
        put.checks.text_hash = 9;
        put.checks.duplicate_window = 1h;
        put.stage = stage;
        return put;
    };
    REQUIRE(fleet.put_one(0, command(SharedStage::held)).outcome == PutOutcome::kept);
    REQUIRE(fleet.firm(0, {1}).size() == 1);
    // As after an unknown outcome, and when it has long been somewhere else.
    const auto again = fleet.put_one(0, command(SharedStage::waiting));
    CHECK(again.outcome == PutOutcome::kept);
    CHECK(again.first == MessageId{1});
    CHECK(fleet.stage(1) == SharedStage::firm);
    REQUIRE(fleet.settle(
        0, {.message = MessageId{1}, .state = MessageState::failed, .frees_pair = true}));
    CHECK(fleet.put_one(0, command(SharedStage::waiting)).outcome == PutOutcome::kept);
    CHECK(fleet.stage(1) == SharedStage::ended);
    CHECK(fleet.put_one(1, with_pair(2, "t topic 336")).outcome == PutOutcome::kept);
    CHECK(fleet.beat(0).waiting == 1);
    // Twice in one command.
    const auto both = fleet.put(0, {FleetInRig::message(5), FleetInRig::message(5)}).value();
    CHECK(both.messages[0].outcome == PutOutcome::kept);
    CHECK(both.messages[1].outcome == PutOutcome::kept);
    CHECK(fleet.beat(0).waiting == 2);
}

void refs(EngineRig& rig) {
    const FleetInRig fleet(rig);
    REQUIRE(fleet.put_one(0, with_ref(1, "a r")).outcome == PutOutcome::kept);
    const auto repeated = fleet.put_one(1, with_ref(2, "a r"));
    CHECK(repeated.outcome == PutOutcome::repeated);
    CHECK(repeated.first == MessageId{1});
    const auto other = fleet.put_one(2, with_ref(3, "a r", 6));
    CHECK(other.outcome == PutOutcome::ref_conflict);
    CHECK(other.first == MessageId{1});
    CHECK(fleet.put_one(1, with_ref(4, "b r")).outcome == PutOutcome::kept);
    // Also after its end.
    REQUIRE(fleet.settle(0, {.message = MessageId{1}, .unbegun = true}));
    CHECK(fleet.put_one(1, with_ref(5, "a r")).outcome == PutOutcome::repeated);
    CHECK_FALSE(fleet.find(5));
    // Within one command, in its order.
    const auto answers =
        fleet.put(0, {with_ref(6, "c"), with_ref(7, "c"), with_ref(8, "d")}).value();
    CHECK(answers.messages[0].outcome == PutOutcome::kept);
    CHECK(answers.messages[1].outcome == PutOutcome::repeated);
    CHECK(answers.messages[1].first == MessageId{6});
    CHECK(answers.messages[2].outcome == PutOutcome::kept);
}

/// Three boxes put some of the same things at once, in different orders.
template <typename Make>
void at_once(EngineRig& rig, PutOutcome second, Make make) {
    constexpr std::int64_t things = 20;
    constexpr std::int64_t rounds = 10;
    const FleetInRig fleet(rig);
    for (std::int64_t round = 0; round < rounds; ++round) {
        std::vector<std::shared_ptr<Pending<ports::PutAnswers>>> pending;
        for (std::size_t box = 0; box < EngineRig::box_count; ++box) {
            std::vector<ports::PutMessage> messages;
            for (std::int64_t i = 0; i < things; ++i) {
                const std::int64_t thing =
                    round * things + (box == 1 ? things - 1 - i : (i * 7) % things);
                const auto id = static_cast<std::int64_t>(box + 1) * 1'000'000 + thing;
                messages.push_back(make(id, "t thing " + std::to_string(thing)));
            }
            pending.push_back(post(
                rig, box,
                ports::PutMessages{.seat = fleet.seats[box], .messages = std::move(messages)}));
        }
        REQUIRE(rig.run_until([&] {
            return std::ranges::all_of(pending, [](const auto& one) { return one->is_there(); });
        }));
        std::int64_t kept = 0;
        std::set<MessageId> named;
        for (const auto& one : pending) {
            const auto answers = one->get().value();
            for (const auto& answer : answers.messages) {
                kept += answer.outcome == PutOutcome::kept ? 1 : 0;
                CHECK((answer.outcome == PutOutcome::kept || answer.outcome == second));
                named.insert(answer.first);
            }
        }
        named.erase(MessageId{});
        CHECK(must(ask(rig, 0, ports::FindMessages{fleet.seats[0], {named.begin(), named.end()}}))
                  .size() == named.size());
        CHECK(kept == things);
    }
    CHECK(fleet.beat(0).waiting == rounds * things);
}

void refs_at_once(EngineRig& rig) {
    at_once(rig, PutOutcome::repeated,
            [](std::int64_t id, const std::string& name) { return with_ref(id, name.c_str()); });
}
void pairs_at_once(EngineRig& rig) {
    at_once(rig, PutOutcome::seen,
            [](std::int64_t id, const std::string& name) { return with_pair(id, name.c_str()); });
}
void texts_at_once(EngineRig& rig) {
    at_once(rig, PutOutcome::duplicate, [](std::int64_t id, const std::string& name) {
        return with(id, [&](auto& put) {
            put.checks.text_hash = std::hash<std::string>{}(name);
            put.checks.duplicate_window = 1h;
        });
    });
}
void recipients_at_once(EngineRig& rig) {
    at_once(rig, PutOutcome::recipient_limit, [](std::int64_t id, const std::string& name) {
        return with(id, [&](auto& put) {
            put.checks.recipient = name;
            put.checks.limits.per_hour = 1;
        });
    });
}

void pairs(EngineRig& rig) {
    const FleetInRig fleet(rig);
    REQUIRE(fleet.put_one(0, with_pair(1, "t a 1")).outcome == PutOutcome::kept);
    const auto seen = fleet.put_one(1, with_pair(2, "t a 1"));
    CHECK(seen.outcome == PutOutcome::seen);
    CHECK(seen.first == MessageId{1});
    REQUIRE(fleet.take(2, 1).size() == 1);
    REQUIRE(fleet.settle(2, {.message = MessageId{1}, .state = MessageState::sent}));
    CHECK(fleet.put_one(1, with_pair(3, "t a 1")).outcome == PutOutcome::seen);
    // A later settlement says that it certainly was not sent.
    REQUIRE(fleet.settle(
        2, {.message = MessageId{1}, .state = MessageState::failed, .frees_pair = true}));
    REQUIRE(fleet.put_one(1, with_pair(4, "t a 1")).outcome == PutOutcome::kept);
    // The pair is of another message now: the first one can't free it.
    REQUIRE(fleet.settle(
        2, {.message = MessageId{1}, .state = MessageState::failed, .frees_pair = true}));
    CHECK(fleet.put_one(1, with_pair(5, "t a 1")).first == MessageId{4});
    // A message that is refused claims nothing.
    REQUIRE(fleet.put_one(0, with_ref(6, "r")).outcome == PutOutcome::kept);
    auto refused = with_ref(7, "r");
    refused.checks.pair = "t b 1";
    CHECK(fleet.put_one(1, refused).outcome == PutOutcome::repeated);
    CHECK(fleet.put_one(1, with_pair(8, "t b 1")).outcome == PutOutcome::kept);
}

void duplicates(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto text = [](std::int64_t id, std::uint64_t hash, std::chrono::milliseconds window) {
        return with(id, [&](auto& put) {
            put.checks.text_hash = hash;
            put.checks.duplicate_window = window;
        });
    };
    REQUIRE(fleet.put_one(0, text(1, 9, 1h)).outcome == PutOutcome::kept);
    const auto second = fleet.put_one(1, text(2, 9, 1h));
    CHECK(second.outcome == PutOutcome::duplicate);
    CHECK(second.first == MessageId{1});
    CHECK(fleet.put_one(1, text(3, 10, 1h)).outcome == PutOutcome::kept);
    CHECK(fleet.put_one(1, text(4, 9, 0ms)).outcome == PutOutcome::kept);  // it may be the same
    CHECK(fleet.put_one(1, text(5, ~std::uint64_t{0}, 1h)).outcome == PutOutcome::kept);
    const auto both = fleet.put(0, {text(6, 11, 1h), text(7, 11, 1h)}).value();
    CHECK(both.messages[0].outcome == PutOutcome::kept);
    CHECK(both.messages[1].outcome == PutOutcome::duplicate);
    CHECK(both.messages[1].first == MessageId{6});
}

void opt_outs_and_batches(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto keep_rule = [&](ports::RuleKind kind, const char* subject, bool holds) {
        REQUIRE(ask(rig, 0,
                    ports::KeepRules{.seat = fleet.seats[0],
                                     .rules = {{.kind = kind,
                                                .subject = subject,
                                                .holds = holds,
                                                .number = fleet.next_rule()}}}));
    };
    const auto to = [](std::int64_t id, bool heeds) {
        return with(id, [&](auto& put) {
            put.checks.recipient = "ab12";
            put.checks.heeds_opt_out = heeds;
        });
    };
    const auto in_batch = [](std::int64_t id) {
        return with(id, [](auto& put) { put.message.batch = "spring"; });
    };
    REQUIRE(fleet.put_one(1, to(1, true)).outcome == PutOutcome::kept);
    REQUIRE(fleet.put_one(1, in_batch(2)).outcome == PutOutcome::kept);
    keep_rule(ports::RuleKind::opt_out, "ab12", true);
    keep_rule(ports::RuleKind::batch, "spring", true);
    CHECK(fleet.put_one(1, to(3, true)).outcome == PutOutcome::opted_out);
    CHECK(fleet.put_one(1, to(4, false)).outcome == PutOutcome::kept);
    CHECK(fleet.put_one(1, in_batch(5)).outcome == PutOutcome::batch_cancelled);
    const auto some = fleet.put(1, {FleetInRig::message(6), to(7, true), in_batch(8)}).value();
    CHECK(some.messages[0].outcome == PutOutcome::kept);
    CHECK(some.messages[1].outcome == PutOutcome::opted_out);
    CHECK(some.messages[2].outcome == PutOutcome::batch_cancelled);
    keep_rule(ports::RuleKind::opt_out, "ab12", false);
    CHECK(fleet.put_one(1, to(9, true)).outcome == PutOutcome::kept);
}

void recipient_limits(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto to = [](std::int64_t id, std::optional<std::uint32_t> hour,
                       std::optional<std::uint32_t> day) {
        return with(id, [&](auto& put) {
            put.checks.recipient = "ab12";
            put.checks.limits = {.per_hour = hour, .per_day = day};
        });
    };
    REQUIRE(fleet.put_one(0, to(1, {}, {})).outcome == PutOutcome::kept);
    REQUIRE(fleet.put_one(1, to(2, 2, {})).outcome == PutOutcome::kept);
    CHECK(fleet.put_one(2, to(3, 2, {})).outcome == PutOutcome::recipient_limit);
    CHECK(fleet.put_one(2, to(4, {}, 2)).outcome == PutOutcome::recipient_limit);
    // One that certainly was not sent does not count.
    REQUIRE(fleet.settle(
        0, {.message = MessageId{1}, .state = MessageState::expired, .unbegun = true}));
    const auto two = fleet.put(2, {to(5, 2, {}), to(6, 2, {})}).value();
    CHECK(two.messages[0].outcome == PutOutcome::kept);
    CHECK(two.messages[1].outcome == PutOutcome::recipient_limit);
    // In the order of the command: the first does not count the second.
    const auto mixed = fleet.put(2, {to(7, 3, {}), to(8, {}, {}), to(9, 3, {})}).value();
    CHECK(mixed.messages[0].outcome == PutOutcome::kept);
    CHECK(mixed.messages[1].outcome == PutOutcome::kept);
    CHECK(mixed.messages[2].outcome == PutOutcome::recipient_limit);
}

void client_limits(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto of = [](std::int64_t id, std::optional<std::int64_t> limit) {
        return with(id, [&](auto& put) {
            put.checks.client = "shop";
            put.checks.client_waiting_max = limit;
        });
    };
    REQUIRE(fleet.put_one(0, of(1, {})).outcome == PutOutcome::kept);
    REQUIRE(fleet.put_one(1, of(2, 2)).outcome == PutOutcome::kept);
    CHECK(fleet.put_one(2, of(3, 2)).outcome == PutOutcome::client_limit);
    REQUIRE(fleet.settle(2, {.message = MessageId{1}, .unbegun = true}));
    REQUIRE(fleet.settle(2, {.message = MessageId{1}, .state = MessageState::cancelled}));
    const auto two = fleet.put(2, {of(4, 2), of(5, 2)}).value();
    CHECK(two.messages[0].outcome == PutOutcome::kept);
    CHECK(two.messages[1].outcome == PutOutcome::client_limit);
}

void many(EngineRig& rig) {
    const FleetInRig fleet(rig);
    std::vector<ports::PutMessage> all;
    for (std::int64_t id = 1; id <= static_cast<std::int64_t>(ports::engine_batch_max); ++id) {
        all.push_back(id % 50 == 0 ? with_ref(id, "the same") : FleetInRig::message(id));
    }
    const auto answers = fleet.put(0, all).value();
    REQUIRE(answers.messages.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool repeats = i + 1 > 50 && (i + 1) % 50 == 0;
        CHECK(answers.messages[i].outcome == (repeats ? PutOutcome::repeated : PutOutcome::kept));
        CHECK(answers.messages[i].first == MessageId{repeats ? 50 : all[i].message.id.value});
    }
    CHECK(fleet.put(0, {}).value().messages.empty());
}

void forgets(EngineRig& rig) {
    const FleetInRig fleet(rig);
    auto first = with_ref(1, "r");
    first.checks.pair = "t a 1";
    REQUIRE(fleet.put_one(0, first).outcome == PutOutcome::kept);
    REQUIRE(fleet.put_one(0, with_ref(2, "s")).outcome == PutOutcome::kept);
    REQUIRE(fleet.settle(0, {.message = MessageId{1}, .unbegun = true}));
    REQUIRE(ask(rig, 0,
                ports::SendMail{.seat = fleet.seats[0],
                                .mail = {{.to = fleet.seats[2].box, .form = "letter"}}}));
    const auto letters = [&] {
        return ask(rig, 2, ports::ReadMail{.seat = fleet.seats[2], .limit = 9}).value().mail;
    };
    rig.pass(20ms);
    const auto forget = [&](std::chrono::seconds older_than, std::size_t limit) {
        return ask(rig, 1,
                   ports::ForgetEnded{
                       .seat = fleet.seats[1], .older_than = older_than, .limit = limit})
            .value();
    };
    CHECK(forget(1h, 10) == 0);
    CHECK(letters().size() == 1);
    CHECK(fleet.find(1));
    CHECK(forget(0s, 10) == 1);
    CHECK(letters().empty());
    CHECK_FALSE(fleet.find(1));
    CHECK(fleet.find(2));
    CHECK(fleet.put_one(1, with_ref(3, "r")).outcome == PutOutcome::kept);
    CHECK(fleet.put_one(1, with_ref(4, "s")).outcome == PutOutcome::repeated);
    CHECK(fleet.put_one(1, with_pair(5, "t a 1")).outcome == PutOutcome::seen);
}

constexpr std::array cases{
    EngineCase{"a message is kept waiting, held or firm, with all that it has", stages},
    EngineCase{"the same put again is answered kept, and changes nothing", put_twice},
    EngineCase{"a ref gives its first answer again at any box", refs},
    EngineCase{"a ref at three boxes at once makes one message", refs_at_once},
    EngineCase{"a pair at three boxes at once makes one message", pairs_at_once},
    EngineCase{"a text at three boxes at once makes one message", texts_at_once},
    EngineCase{"a recipient's limit holds at three boxes at once", recipients_at_once},
    EngineCase{"a pair is claimed until its message certainly was not sent", pairs},
    EngineCase{"the same text within the window is a duplicate", duplicates},
    EngineCase{"opt-outs and cancelled batches refuse new messages", opt_outs_and_batches},
    EngineCase{"a recipient's limit counts the messages of all boxes", recipient_limits},
    EngineCase{"a client's limit counts its messages at all boxes that have not ended",
               client_limits},
    EngineCase{"each message of a large put is answered for itself, in order", many},
    EngineCase{"what ended long ago is forgotten, but its pair is not", forgets},
};

}  // namespace

std::span<const EngineCase> put_cases() {
    return cases;
}

}  // namespace smsrack::test
