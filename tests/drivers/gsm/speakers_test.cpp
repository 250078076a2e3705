#include "drivers/gsm/speakers.hpp"

#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

const SteadyTime first_turn{1h};

struct Deaf final : at::AtListener {
    void on_prompt() override {}
    void on_line(at::LineKind, std::string_view) override {}
    void on_final(at::FinalResult) override {}
    void on_urc(std::string_view, std::string_view) override {}
    void on_stray_final(at::FinalResult) override {}
};

struct SpeakersBench {
    [[nodiscard]] std::vector<Speaker*> order(const ModemStatus& status) {
        auto turns = speakers.turns(status);
        const auto end = std::ranges::find(turns, nullptr);
        CHECK(std::all_of(end, turns.end(), [](Speaker* one) { return one == nullptr; }));
        return {turns.begin(), end};
    }
    [[nodiscard]] bool speaks(const ModemStatus& status, const Speaker& speaker) {
        return std::ranges::any_of(order(status),
                                   [&](const Speaker* one) { return one == &speaker; });
    }

    const Profile profile = {};
    const ModemSettings settings = {};
    test::ManualClock clock;
    test::QuietLog log;
    FlightRecorder recorder{clock, false};
    Reporter reporter{"m0", log, recorder};
    Deaf deaf;
    at::AtChannel channel{profile.urcs.rules(), deaf, 0ms};
    Speakers speakers{channel, profile, settings, reporter};
};

}  // namespace

TEST_CASE("Speakers: only a ready modem submits, and a held one begins nothing else") {
    SpeakersBench bench;
    for (auto i = 0; i <= std::to_underlying(ModemState::asleep); ++i) {
        const ModemStatus status{.state = static_cast<ModemState>(i)};
        CAPTURE(std::string(state_name(status.state)));
        CHECK(bench.speaks(status, bench.speakers.submit) == (status.state == ModemState::ready));
    }
    const ModemStatus held{.state = ModemState::ready, .held = true};
    CHECK(bench.speaks(held, bench.speakers.submit));  // what the line has begun already
    CHECK(bench.speaks(held, bench.speakers.inbox));
    CHECK_FALSE(bench.speaks(held, bench.speakers.watch));
    CHECK_FALSE(bench.speaks(held, bench.speakers.calls));
}

TEST_CASE("Speakers: a check of the step goes before all others") {
    SpeakersBench bench;
    REQUIRE(bench.speakers.step_check.begin(first_turn));
    CHECK(bench.order({.state = ModemState::ready}) ==
          std::vector<Speaker*>{&bench.speakers.step_check});
}

TEST_CASE("Speakers: after a submit the inbox goes first until it has had its turns") {
    SpeakersBench bench;
    const ModemStatus ready{.state = ModemState::ready};
    const auto inbox_first = [&] {
        const auto order = bench.order(ready);
        return std::ranges::find(order, &bench.speakers.inbox) <
               std::ranges::find(order, &bench.speakers.submit);
    };
    CHECK_FALSE(inbox_first());
    bench.speakers.count_turn(bench.speakers.submit, first_turn);
    CHECK(inbox_first());
    bench.speakers.inbox.on_stored("+CMTI: \"SM\",3", first_turn);  // it has something to read
    for (int turn = 1; turn < Speakers::inbox_turn; ++turn) {
        bench.speakers.count_turn(bench.speakers.inbox, first_turn);
        CHECK(inbox_first());
    }
    bench.speakers.count_turn(bench.speakers.inbox, first_turn);
    CHECK_FALSE(inbox_first());
}

}  // namespace smsrack::gsm
