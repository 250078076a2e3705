// What a store takes for a repeat, and what for another message: where and when a PDU came decides, not its content.
#include "src/sms/inbound.hpp"
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <set>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

constexpr HeldPlace sim_place(std::uint16_t index) {
    return {.memory = HeldIn::sim, .index = index};
}
constexpr HeldPlace direct{.memory = HeldIn::direct, .index = 0};

/// A centre's stamp that may be believed, or one of a dead clock.
enum class Stamp : std::uint8_t { good, none };

/// PDUs of one content, as a modem gives them one after the other.
class Sender {
public:
    explicit Sender(StoreFixture& f, Stamp stamp = Stamp::good) : f_(f), pdu_(f.inbound("ALARM")) {
        if (stamp == Stamp::good) {
            pdu_.scts = f.clock.wall() - 2s;
        }
    }

    InboundKept arrives(std::optional<HeldPlace> place) {
        pdu_.held_at = place;
        pdu_.received_at = f_.clock.wall();
        const auto kept = f_.keep(pdu_);
        REQUIRE(kept);
        return *kept;
    }

private:
    StoreFixture& f_;
    InboundSegment pdu_;
};

void erase(StoreFixture& f, HeldPlace place) {
    f.store->post(ports::ForgetHeld{f.sim, place});
    f.run();
}

std::vector<ports::InboxRow> inbox(StoreFixture& f) {
    return f.look([](ports::StoreReader& r) { return r.inbox({.limit = 1'000}); }).value();
}

std::size_t marked(StoreFixture& f) {
    return static_cast<std::size_t>(
        std::ranges::count_if(inbox(f), &ports::InboxRow::maybe_repeat));
}

}  // namespace

TEST_CASE("store: the same place that is read again before it was erased is a repeat") {
    for (const Stamp stamp : {Stamp::good, Stamp::none}) {
        CAPTURE(static_cast<int>(stamp));
        StoreFixture f;
        Sender sender(f, stamp);
        const auto kept = sender.arrives(sim_place(4));
        f.clock.advance(5min);
        CHECK(sender.arrives(sim_place(4)).duplicate);
        f.reopen();  // killed before it was erased
        f.clock.advance(5min);
        const auto again = sender.arrives(sim_place(4));
        CHECK(again.duplicate);
        CHECK(again.inbox == kept.inbox);
        CHECK(inbox(f).size() == 1);
        CHECK(marked(f) == 0);
    }
}

TEST_CASE("store: what a run erased before it was killed claims its place no longer") {
    StoreFixture f;
    Sender alarm(f, Stamp::none);
    alarm.arrives(sim_place(1));
    alarm.arrives(sim_place(3));
    f.reopen();  // killed when the modem had erased the first, which was not known any more
    f.store->post(ports::ForgetHeldElsewhere{f.sim, HeldIn::sim, {3}});
    f.run();
    f.clock.advance(1min);
    CHECK(alarm.arrives(sim_place(3)).duplicate);
    CHECK_FALSE(alarm.arrives(sim_place(1)).duplicate);
    CHECK(inbox(f).size() == 3);
}

TEST_CASE("store: a list of one memory says nothing of another one, nor of another SIM") {
    StoreFixture f;
    Sender alarm(f, Stamp::none);
    alarm.arrives(HeldPlace{.memory = HeldIn::modem, .index = 1});
    f.store->post(ports::ForgetHeldElsewhere{f.sim, HeldIn::reports, {}});
    f.store->post(ports::ForgetHeldElsewhere{f.sim, HeldIn::sim, {}});
    f.store->post(ports::ForgetHeldElsewhere{SimId{f.sim.value + 1}, HeldIn::modem, {}});
    f.run();
    CHECK(alarm.arrives(HeldPlace{.memory = HeldIn::modem, .index = 1}).duplicate);
}

TEST_CASE("store: an alarm that comes five times in twenty seconds with a dead clock is five") {
    StoreFixture f;
    Sender sender(f, Stamp::none);
    for (int i = 0; i < 5; ++i) {
        const auto kept = sender.arrives(sim_place(1));
        CHECK_FALSE(kept.duplicate);
        CHECK(kept.maybe_repeat == (i > 0));
        erase(f, sim_place(1));
        f.clock.advance(4s);
    }
    CHECK(inbox(f).size() == 5);
    CHECK(marked(f) == 4);
    f.clock.advance(24h);  // the same alarm of the next day is news, and marked by nothing
    CHECK_FALSE(sender.arrives(sim_place(1)).maybe_repeat);
}

TEST_CASE(
    "store: equal messages of one second at two places are two, also when both are read again") {
    for (const Stamp stamp : {Stamp::good, Stamp::none}) {
        CAPTURE(static_cast<int>(stamp));
        StoreFixture f;
        Sender sender(f, stamp);
        const InboxId first = sender.arrives(sim_place(1)).inbox;
        const InboxId second = sender.arrives(sim_place(2)).inbox;
        CHECK(first != second);
        f.reopen();
        CHECK(sender.arrives(sim_place(2)).inbox == second);
        CHECK(sender.arrives(sim_place(1)).inbox == first);
        CHECK(inbox(f).size() == 2);
        CHECK(marked(f) == 0);
    }
}

TEST_CASE("store: what a network sends again, since it heard no RP-ACK, is a repeat") {
    struct Row {
        const char* what;
        Stamp stamp;
        std::chrono::seconds later;
        bool is_repeat;
        bool is_marked;
    };
    for (const Row& row : {
             Row{"before the network can know it: another one, perhaps", Stamp::good, 10s, false,
                 true},
             Row{"after TR1N", Stamp::good, 40s, true, false},
             Row{"within the window", Stamp::good, 5min, true, false},
             Row{"later it is uncertain", Stamp::good, 6min, false, true},
             Row{"nor with a dead clock", Stamp::none, 40s, false, true},
             Row{"whose next day says nothing of this one", Stamp::none, 24h, false, false},
         }) {
        for (const std::optional<HeldPlace> place :
             {std::optional(sim_place(1)), std::optional(direct), std::optional<HeldPlace>()}) {
            CAPTURE(row.what);
            StoreFixture f;
            Sender sender(f, row.stamp);
            sender.arrives(place);
            if (place) {
                erase(f, *place);
            }
            f.clock.advance(row.later);
            const auto again = sender.arrives(place);
            CHECK(again.duplicate == row.is_repeat);
            CHECK(again.maybe_repeat == row.is_marked);
            CHECK(inbox(f).size() == (row.is_repeat ? 1 : 2));
            CHECK(marked(f) == (row.is_marked ? 1 : 0));
        }
    }
}

TEST_CASE("store: a repeat by the network that is read again once more is still one") {
    StoreFixture f;
    Sender sender(f);
    sender.arrives(sim_place(1));
    erase(f, sim_place(1));
    f.clock.advance(40s);
    REQUIRE(sender.arrives(sim_place(2)).duplicate);
    f.reopen();
    f.clock.advance(1h);
    CHECK(sender.arrives(sim_place(2)).duplicate);
    erase(f, sim_place(2));
    CHECK(inbox(f).size() == 1);
}

TEST_CASE(
    "store: a direct one that is not confirmed as yet and comes again is a repeat; without a clock "
    "it may have been confirmed unheard, so it is kept and marked") {
    for (const Stamp stamp : {Stamp::good, Stamp::none}) {
        StoreFixture f;
        Sender sender(f, stamp);
        sender.arrives(direct);
        Sender other(f);
        other.arrives(direct);
        f.clock.advance(1min);
        const bool is_sure = stamp == Stamp::good;
        CHECK(sender.arrives(direct).duplicate == is_sure);
        CHECK(inbox(f).size() == (is_sure ? 2 : 3));
        CHECK(marked(f) == (is_sure ? 0 : 1));
    }
}

TEST_CASE("store: a place that was filled with another PDU is no evidence any more") {
    StoreFixture f;
    Sender sender(f, Stamp::none);
    sender.arrives(sim_place(1));
    SUBCASE("a message") {
        Sender(f).arrives(sim_place(1));
    }
    SUBCASE("a status report") {
        auto report = f.report(7);
        report.held_at = sim_place(1);
        REQUIRE(f.keep(report));
    }
    const auto again = sender.arrives(sim_place(1));
    CHECK_FALSE(again.duplicate);
    CHECK(again.maybe_repeat);
}

TEST_CASE("store: with a dead clock a place is not believed for ever") {
    StoreFixture f;
    Sender sender(f, Stamp::none);
    sender.arrives(sim_place(1));
    SUBCASE("while this service was down, it may have been erased and filled again") {
        f.reopen();
        f.clock.advance(11min);
        const auto later = sender.arrives(sim_place(1));
        CHECK_FALSE(later.duplicate);
        CHECK(later.maybe_repeat);
    }
    SUBCASE("a SIM that refuses to erase it gives it with each sweep, and it stays one message") {
        for (int i = 0; i < 100; ++i) {
            f.clock.advance(5min);
            CHECK(sender.arrives(sim_place(1)).duplicate);
        }
        CHECK(inbox(f).size() == 1);
    }
}

TEST_CASE("store: two reports of a dead clock that are far apart are two, near ones are one") {
    StoreFixture f;
    auto report = f.report(7);
    report.held_at = sim_place(1);
    REQUIRE(f.keep(report));
    const auto comes = [&](std::chrono::minutes later) {
        f.clock.advance(later);
        report.received_at = f.clock.wall();
        return f.keep(report)->duplicate;
    };
    SUBCASE("the same place before it was erased") {
        CHECK(comes(5min));
        CHECK(comes(5min));
    }
    SUBCASE("sent again within minutes") {
        f.store->post(ports::ForgetHeld{f.sim, sim_place(1)});
        CHECK(comes(9min));
    }
    SUBCASE("the next of this reference") {
        f.store->post(ports::ForgetHeld{f.sim, sim_place(1)});
        CHECK_FALSE(comes(11min));
    }
    SUBCASE("two places at once are two") {
        report.held_at = sim_place(2);
        CHECK_FALSE(comes(0min));
    }
    SUBCASE("with a good stamp the same one is the same for days") {
        auto good = f.report(8);
        good.scts = f.clock.wall();
        REQUIRE(f.keep(good));
        f.clock.advance(48h);
        good.received_at = f.clock.wall();
        CHECK(f.keep(good)->duplicate);
    }
}

namespace {

/// Two messages of two parts with the same reference and the same head, four seconds apart.
class Panel {
public:
    Panel(StoreFixture& f, bool has_clock) : f_(f), began_(f.clock.wall()), has_clock_(has_clock) {}

    void sends(int message, std::uint8_t seq) {
        constexpr const char* tails[] = {"zone 1 open", "zone 2 open"};
        const bool is_head = seq == 1;
        auto pdu = f_.inbound(is_head ? "ALARM PANEL 7 " : tails[message],
                              ConcatInfo{.ref = 5, .total = 2, .seq = seq});
        pdu.held_at = sim_place(1);
        pdu.fingerprint = {};
        pdu.fingerprint[0] = is_head ? 1 : static_cast<std::uint8_t>(2 + message);
        if (has_clock_) {
            pdu.scts = began_ + message * 4s + (seq - 1) * 3s;
            pdu.fingerprint[1] = static_cast<std::uint8_t>(message);
        }
        REQUIRE_FALSE(f_.keep(pdu)->duplicate);
        erase(f_, sim_place(1));
        f_.clock.advance(1s);
    }

private:
    StoreFixture& f_;
    WallTime began_;
    bool has_clock_;
};

}  // namespace

TEST_CASE(
    "store: a sender that uses its reference again at once loses no head and mixes no tails") {
    struct Part {
        int message;
        std::uint8_t seq;
    };
    constexpr Part a1{0, 1}, a2{0, 2}, b1{1, 1}, b2{1, 2};
    for (const std::vector<Part>& order : std::vector<std::vector<Part>>{
             {a1, a2, b1, b2},
             {a1, b1, a2, b2},
             {a1, b1, b2, a2},
             {b1, a1, a2, b2},
             {b1, a1, b2, a2},
             {b1, b2, a1, a2},
         }) {
        for (const bool has_clock : {true, false}) {
            CAPTURE(has_clock);
            StoreFixture f;
            Panel panel(f, has_clock);
            for (const Part& part : order) {
                panel.sends(part.message, part.seq);
            }
            const auto rows = inbox(f);
            REQUIRE(rows.size() == 2);
            std::set<std::string> texts;
            for (const auto& row : rows) {
                CHECK_FALSE(row.incomplete);
                texts.insert(row.content.text);
            }
            CHECK(texts ==
                  std::set<std::string>{"ALARM PANEL 7 zone 1 open", "ALARM PANEL 7 zone 2 open"});
            f.clock.advance(48h);
            CHECK(f.ask(ports::ReleaseIncomplete{f.clock.wall(), 10}).value() == 0);
        }
    }
}

TEST_CASE(
    "store: a late part goes to the message of its time, not to the one that waits just now") {
    StoreFixture f;
    const auto part = [&](const char* text, std::uint8_t seq, WallTime scts) {
        auto pdu = f.inbound(text, ConcatInfo{.ref = 5, .total = 2, .seq = seq});
        pdu.scts = scts;
        return *f.keep(pdu);
    };
    const WallTime first = f.clock.wall();
    part("old ", 1, first);
    f.clock.advance(2h);
    REQUIRE(f.ask(ports::ReleaseIncomplete{f.clock.wall(), 10}).value() == 1);
    const WallTime second = f.clock.wall();
    part("new ", 1, second);
    const InboxId late = part("tail", 2, first + 2s).inbox;
    REQUIRE(late != InboxId{});
    CHECK(inbox(f).back().content.text == "old tail");
    CHECK(inbox(f).back().replaces != InboxId{});
    const InboxId whole = part("end", 2, second + 2s).inbox;
    REQUIRE(whole != InboxId{});
    CHECK(inbox(f).back().content.text == "new end");
}
