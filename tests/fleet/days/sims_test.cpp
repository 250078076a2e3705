// A SIM that moves from box to box: what it has sent goes with it, and it sends from one box at a time.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t a_month = 5;

struct Rig : test::FewBoxes {
    explicit Rig(cluster::FleetSettings settings = {}) : FewBoxes(2, std::move(settings)) {
        for (const std::size_t at : {0UL, 1UL}) {
            box(at).insert("own" + std::to_string(at), a_month);
            box(at).take_out();
        }
        run_for(10s);
    }

    void insert(std::size_t at) { box(at).insert("8933", a_month); }
    void submit(std::size_t at, const std::string& to) {
        const auto id = box(at).submit(
            {.to = to, .text = std::to_string(++texts_), .life = std::chrono::hours(24)});
        REQUIRE(id);
        ids_.push_back({at, *id});
    }
    /// Hands in `count` messages at a box. Gives how many of all went out meanwhile.
    int sent(std::size_t at, int count, std::chrono::milliseconds wait = 30s) {
        for (int i = 0; i < count; ++i) {
            submit(at, "+3361234567" + std::to_string(i));
        }
        return sent_in(wait);
    }
    int sent_in(std::chrono::milliseconds wait) {
        run_for(wait);
        return static_cast<int>(std::erase_if(ids_, [this](const auto& one) {
            const auto& [home, id] = one;
            const auto row = box(home).runs()
                                 ? box(home).row(id)
                                 : Result<ports::MessageRow>(fail(Errc::closed, "it is down"));
            return row && row->state == MessageState::sent;
        }));
    }

private:
    std::vector<std::pair<std::size_t, MessageId>> ids_ = {};
    int texts_ = 0;
};

}  // namespace

TEST_CASE("fleet: a SIM that is put into another box sends there what its month has left") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 2) == 2);
    rig.box(0).take_out();
    rig.insert(1);
    CHECK(rig.sent(1, 1) == 1);
    rig.box(1).take_out();
    rig.insert(0);
    CHECK(rig.sent(0, 1) == 1);
    rig.box(0).take_out();
    rig.insert(1);
    CHECK(rig.sent(1, 3) == 1);
}

TEST_CASE("fleet: a SIM that was out for a moment sends on, in the same box") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 2) == 2);
    rig.box(0).take_out();
    rig.insert(0);
    CHECK(rig.sent(0, 1) == 1);
    rig.box(0).take_out();
    rig.run_for(20s);
    rig.insert(0);
    CHECK(rig.sent(0, 4) == 2);
}

TEST_CASE("fleet: the last segments of a SIM are known, also where it is moved at once") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 3, 900ms) == 0);
    rig.box(0).take_out();
    rig.insert(1);
    CHECK(rig.sent(1, 6) == 5);
}

TEST_CASE("fleet: a SIM that two boxes have sends from the first one, until that has it no more") {
    Rig rig;
    rig.insert(0);
    rig.run_for(10s);
    rig.insert(1);
    rig.run_for(10s);
    CHECK(rig.box(1).sim_is_in() == "box box1");
    CHECK(rig.box(0).sim_is_in().empty());
    CHECK(rig.sent(1, 1) == 1);  // by the other box
    rig.box(0).take_out();
    rig.run_for(10s);
    CHECK(rig.box(1).sim_is_in().empty());
    CHECK(rig.sent(1, 9) == 4);

    // The first one has it again, and is heard; then it dies, and the SIM is the other one's.
    rig.insert(0);
    rig.run_for(10s);
    CHECK(rig.box(0).sim_is_in() == "box box2");
    rig.box(1).kill({});
    rig.run_for(40s);
    CHECK(rig.box(0).sim_is_in().empty());
}

TEST_CASE(
    "fleet: a SIM that comes while the engine is away sends nothing, or by the box's own count") {
    for (const bool own_count : {false, true}) {
        CAPTURE(own_count);
        Rig rig({.quota_by_own_count = own_count});
        rig.insert(0);
        CHECK(rig.sent(0, 3) == 3);
        rig.box(0).take_out();
        rig.run_for(10s);
        rig.engine.cut(1, test::Cut::both);
        rig.run_for(10s);
        rig.insert(1);
        rig.run_for(20s);
        CHECK(rig.sent(1, 1) == (own_count ? 1 : 0));
        rig.engine.cut(1, test::Cut::none);
        rig.run_for(10s);
        // What it sent by itself counts as well.
        CHECK(rig.sent(1, 4) == (own_count ? 1 : 2));
    }
}

TEST_CASE(
    "fleet: a SIM that stays sends on while the engine is away, over a restart, by all counts") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 2) == 2);
    rig.box(0).take_out();
    rig.insert(1);
    CHECK(rig.sent(1, 1) == 1);
    rig.engine.cut(1, test::Cut::both);
    rig.run_for(10s);
    rig.box(1).kill({});
    rig.box(1).start();
    rig.run_for(20s);
    CHECK(rig.sent(1, 4) == 2);
}

TEST_CASE(
    "fleet: a modem that needs a while after a start finds what was heard of its SIM before") {
    Rig rig;
    rig.insert(1);
    CHECK(rig.sent(1, 1) == 1);
    rig.box(1).kill({});
    rig.box(1).take_out();
    rig.box(1).start();
    rig.run_for(20s);  // the box has its seat, and the modem has not spoken
    rig.engine.cut(1, test::Cut::both);
    rig.run_for(20s);
    rig.insert(1);
    rig.run_for(20s);
    CHECK(rig.sent(1, 1) == 1);
}

TEST_CASE("fleet: what a box sent before it died is known when it is back, and counts at once") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 1) == 1);
    rig.engine.cut(0, test::Cut::both);  // its count does not come to the engine
    rig.run_for(20s);
    CHECK(rig.sent(0, 2) == 2);
    rig.box(0).take_out();
    rig.box(0).kill({});
    rig.run_for(30s);
    rig.insert(1);
    CHECK(rig.sent(1, 1) == 1);
    rig.engine.cut(0, test::Cut::none);
    rig.box(0).start();
    rig.run_for(20s);
    CHECK(rig.sent(1, 1) == 1);
    CHECK(rig.sent(1, 3) == 0);
}

TEST_CASE("fleet: what a box sent counts in another one, however wrong its clock is") {
    for (const auto by : {-24h * 20'000, -24h, 24h}) {
        CAPTURE(by.count());
        Rig rig;
        rig.box(0).move_date(by);
        rig.run_for(10s);
        rig.insert(0);
        CHECK(rig.sent(0, 3) == 3);
        rig.box(0).take_out();
        rig.insert(1);
        CHECK(rig.sent(1, 4) == 2);
    }
}

TEST_CASE("fleet: a SIM takes its recipients along, also more than come in one answer") {
    constexpr std::uint32_t most = ports::sim_recipients_max + 30;
    const auto number = [](std::uint32_t n) { return fmt::format("+336{:08}", n); };
    Rig rig;
    rig.box(0).insert("8933", most, QuotaWindow::recipients);
    rig.run_for(10s);
    for (std::uint32_t n = 0; n < most - 1; ++n) {
        rig.submit(0, number(n));
    }
    REQUIRE(rig.sent_in(400s) == most - 1);
    rig.box(0).take_out();
    rig.box(1).insert("8933", most, QuotaWindow::recipients);
    rig.run_for(10s);
    rig.submit(1, number(0));
    rig.submit(1, number(most - 2));
    rig.submit(1, number(most));  // the last new one
    CHECK(rig.sent_in(30s) == 3);
    rig.submit(1, number(most + 1));
    CHECK(rig.sent_in(30s) == 0);
}

TEST_CASE("fleet: a box hears of all its SIMs, and of each once") {
    Rig rig;
    std::map<std::string, int> heard;
    for (std::uint16_t line = 1; line <= 30; ++line) {
        const std::string iccid = "7" + std::to_string(line);
        rig.box(0).follow_sim(ModemId{line}, iccid, [&heard, iccid](const ports::SimShare& share) {
            heard[iccid] += share.elsewhere.empty() ? 1 : 0;
        });
    }
    rig.run_for(2s);
    CHECK(heard.size() == 30);
    rig.run_for(60s);
    CHECK(std::ranges::all_of(heard, [](const auto& one) { return one.second == 1; }));
}

TEST_CASE("fleet: of two slots of a box with the same SIM one sends, and then the other one") {
    Rig rig;
    std::array<std::string, 2> elsewhere{"-", "-"};
    for (std::uint16_t line = 1; line <= 2; ++line) {
        rig.box(0).follow_sim(ModemId{line}, "77",
                              [&elsewhere, line](const ports::SimShare& share) {
                                  elsewhere.at(line - 1U) = share.elsewhere;
                              });
    }
    rig.run_for(10s);
    CHECK(elsewhere[0].empty());
    CHECK(elsewhere[1] == "another slot of box1");
    rig.box(0).leave_sim(ModemId{1});
    rig.run_for(10s);
    CHECK(elsewhere[1].empty());
}
