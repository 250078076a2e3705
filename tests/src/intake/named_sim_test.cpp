#include "src/intake/intake.hpp"
#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

struct OneSim : ports::SimNumbers {
    bool told = true;
    [[nodiscard]] std::optional<ports::SimInRack> sim_with(std::string_view number) const override {
        return number == "+33600000002"
                   ? std::optional(ports::SimInRack{.card = {.iccid = "8933"}, .group = "fast"})
                   : std::nullopt;
    }
    [[nodiscard]] bool all_told() const override { return told; }
};

}  // namespace

TEST_CASE("Intake: a message that names the number of a SIM goes by it, in its group") {
    test::ManualClock clock;
    test::HeldStore store;
    OneSim sims;
    const intake::Intake intake({.groups = {"default", "fast"}}, store, clock, nullptr, &sims);
    struct Row {
        const char* so;
        std::string asked_group;
        std::string from;
        bool else_any;
        const char* group;  // nullptr: refused
        bool is_named;
    };
    const std::string ours = "+33600000002";
    const std::string strange = "+33600000003";
    for (const Row& row : {
             Row{"no SIM is named", "", "", false, "default", false},
             Row{"one is", "", ours, false, "fast", true},
             Row{"and its group", "fast", ours, false, "fast", true},
             Row{"and another group", "default", ours, false, nullptr, false},
             Row{"and another group, or any SIM", "default", ours, true, "default", false},
             Row{"a number that none has", "", strange, false, nullptr, false},
             Row{"a number that none has, or any SIM", "", strange, true, "default", false},
         }) {
        CAPTURE(row.so);
        const auto message = intake.prepare({.to = "+33612345678",
                                             .text = "x",
                                             .group = row.asked_group,
                                             .from = row.from,
                                             .from_else_any = row.else_any});
        REQUIRE(message);
        REQUIRE(message->refused.has_value() == (row.group == nullptr));
        if (message->refused) {  // a ref that is known has its answer all the same
            CHECK(message->refused->code == Errc::bad_sender);
        } else {
            CHECK(message->group == row.group);
            CHECK(message->by.has_value() == row.is_named);
        }
    }
}

TEST_CASE(
    "Intake: while a modem has not told its SIM, an unknown one may still come, for a minute") {
    test::ManualClock clock;
    test::HeldStore store;
    OneSim sims;
    sims.told = false;
    const intake::Intake intake({.groups = {"default"}}, store, clock, nullptr, &sims);
    const auto code = [&] {
        const auto message =
            intake.prepare({.to = "+33612345678", .text = "x", .from = "+33600000003"});
        REQUIRE(message);
        REQUIRE(message->refused);
        return message->refused->code;
    };
    CHECK(code() == Errc::overloaded);
    clock.advance(61s);
    CHECK(code() == Errc::bad_sender);
}

TEST_CASE("Intake: with another sender, the same ref is another request") {
    const auto print = [](std::string from, bool else_any) {
        return intake::fingerprint_of(
            {.to = {}, .text = "x", .from = std::move(from), .from_else_any = else_any},
            "+33612345678");
    };
    CHECK(print("+33600000002", false) != print("", false));
    CHECK(print("+33600000002", false) != print("+33600000002", true));
    CHECK(print("", false) == print("", true));
}
