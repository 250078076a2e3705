// An engine that was restored from a backup, or is another one: nothing is lost, and nothing sent twice.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using cluster::SeatState;

namespace {

/// Counts how often each text was at the network.
class Counted : public test::FewBoxes {
public:
    /// All have their seats.
    explicit Counted(std::size_t boxes, cluster::FleetSettings settings = {})
        : FewBoxes(boxes, std::move(settings)) {
        run_for(10s);
    }

    void submit(std::size_t at, int messages) {
        for (int i = 0; i < messages; ++i) {
            const std::string text = "text " + std::to_string(accepted_.size());
            const auto id = box(at).submit({.to = "+33612345678", .text = text, .life = 100h});
            REQUIRE(id);
            accepted_.emplace_back(at, *id);
        }
    }
    /// From its backup, and a person orders the rebuild at once.
    void restore_and_rebuild(std::size_t by) {
        engine.restore();
        run_for(10s);
        rebuild(by);
    }
    void rebuild(std::size_t by) {
        engine.link(by).post(ports::Rebuild{.seat = box(by).desk().seat().seat().value()}, {});
    }
    SeatState state(std::size_t at) { return box(at).desk().seat().state(); }
    std::size_t sent() const { return left_.size(); }
    std::size_t accepted() const { return accepted_.size(); }
    /// With those that went again.
    int times() const {
        int all = 0;
        for (const auto& [text, times] : left_) {
            all += times;
        }
        return all;
    }

    void check_engine_knows_all_ends() const {
        for (const auto& [id, row] : engine.state().messages()) {
            CAPTURE(id.value);
            CHECK(row.stage == ports::SharedStage::ended);
        }
    }
    /// Each went once, and its box says so.
    void check_all_sent() {
        CHECK(left_.size() == accepted_.size());
        for (const auto& [text, times] : left_) {
            CAPTURE(text);
            CHECK(times == 1);
        }
        for (const auto& [at, id] : accepted_) {
            CAPTURE(id.value);
            CHECK(box(at).row(id)->state == MessageState::sent);
        }
    }
    /// All went, but `in_doubt` at most, of which their boxes say that they do not know.
    void check_ended(std::size_t in_doubt) {
        std::size_t unknown = 0;
        for (const auto& [at, id] : accepted_) {
            CAPTURE(id.value);
            const auto state = box(at).row(id)->state;
            const auto* shared = in_engine(id);
            const bool is_unknown = state == MessageState::uncertain ||
                                    (shared != nullptr && is_uncertain_at_holder(id, *shared));
            unknown += is_unknown ? 1 : 0;
            CHECK((is_unknown || state == MessageState::sent));
        }
        CHECK(unknown <= in_doubt);
        CHECK(left_.size() + unknown >= accepted_.size());
    }
    void check_none_twice() {
        for (const auto& [text, times] : left_) {
            CAPTURE(text);
            CHECK(times == 1);
        }
    }

private:
    const test::EngineState::Row* in_engine(MessageId id) {
        const auto& all = engine.state().messages();
        const auto row = all.find(id);
        return row == all.end() ? nullptr : &row->second;
    }
    bool is_uncertain_at_holder(MessageId id, const test::EngineState::Row& shared) {
        if (shared.stage != ports::SharedStage::firm) {
            return false;
        }
        const auto there = box(static_cast<std::size_t>(shared.seat.box.value) - 1).row(id);
        return there && there->state == MessageState::uncertain;
    }
    void leaves(std::size_t /*box*/, const std::string& text) override { ++left_[text]; }

    std::map<std::string, int> left_ = {};
    std::vector<std::pair<std::size_t, MessageId>> accepted_ = {};
};

}  // namespace

TEST_CASE("fleet: of an engine restored from a backup nothing is taken before a person's word") {
    Counted fleet(2);
    fleet.submit(0, 150);
    fleet.run_for(6s);
    fleet.engine.back_up();
    fleet.submit(1, 30);
    fleet.run_for(60s);
    const std::size_t before = fleet.sent();
    REQUIRE(before > 60);
    fleet.engine.restore();
    fleet.run_for(30s);
    CHECK(fleet.state(0) == SeatState::closed);
    CHECK(fleet.state(1) == SeatState::closed);
    CHECK(fleet.sent() > before);  // firm messages
    fleet.submit(0, 3);
    fleet.rebuild(1);
    fleet.run_for(20s);
    CHECK(fleet.state(0) == SeatState::seated);
    CHECK(fleet.state(1) == SeatState::seated);
    fleet.run_for(20min);
    fleet.check_all_sent();
}

TEST_CASE("fleet: an end that the restored engine has forgotten is put back") {
    Counted fleet(2);
    fleet.submit(0, 40);
    fleet.run_for(3s);
    fleet.engine.back_up();
    SUBCASE("minutes ago") {
        fleet.run_for(10min);
    }
    SUBCASE("days ago") {
        fleet.run_for(50h);
    }
    REQUIRE(fleet.sent() == 40);
    fleet.restore_and_rebuild(0);
    fleet.run_for(10min);
    fleet.check_all_sent();
    fleet.check_engine_knows_all_ends();
}

TEST_CASE("fleet: an engine that is lost gets all that has not ended from its boxes") {
    Counted fleet(3);
    fleet.submit(0, 120);
    fleet.submit(1, 60);
    fleet.run_for(40s);
    fleet.engine.replace("another");
    fleet.run_for(20s);
    CHECK(fleet.state(0) == SeatState::away);  // it does not know the boxes
    for (std::int32_t number : {3, 1, 2}) {
        const std::string name = "box" + std::to_string(number);
        fleet.engine.link(static_cast<std::size_t>(number) - 1)
            .post(ports::RegisterBox{.who = {.name = name, .key = "key"},
                                     .number = BoxNumber{number}},
                  {});
    }
    fleet.run_for(20s);
    CHECK(fleet.state(0) == SeatState::closed);
    fleet.rebuild(0);
    fleet.run_for(20min);
    fleet.check_all_sent();
}

TEST_CASE("fleet: after a rebuild was ordered all boxes wait for the last one") {
    Counted fleet(3);
    fleet.submit(0, 100);
    fleet.run_for(6s);
    fleet.engine.back_up();
    fleet.run_for(40s);
    fleet.box(2).kill({});
    fleet.restore_and_rebuild(0);
    fleet.run_for(5min);
    CHECK(fleet.state(0) == SeatState::returning);
    // It waits by its beats, and asks for nothing else.
    const auto beats = fleet.engine.state().beats_of(BoxNumber{1});
    fleet.run_for(1min);
    CHECK(fleet.engine.state().beats_of(BoxNumber{1}) - beats < 40);
    SUBCASE("which comes") {
        fleet.box(2).start();
        fleet.run_for(20min);
        CHECK(fleet.state(0) == SeatState::seated);
        fleet.check_none_twice();
        fleet.check_ended(3);  // what it had in flight as it ended
    }
    SUBCASE("which was away since before the backup, as far as it knows") {
        fleet.box(2).start();
        fleet.box(1).kill({});
        fleet.run_for(1min);
        fleet.box(1).start();
        fleet.run_for(20min);
        CHECK(fleet.state(1) == SeatState::seated);
        fleet.check_none_twice();
        fleet.check_ended(6);
    }
    SUBCASE("which is dead: what it may have begun is decided by the policy") {
        fleet.engine.link(0).post(ports::SetLife{.seat = *fleet.box(0).desk().seat().seat(),
                                                 .name = "box3",
                                                 .life = ports::BoxLife::dead},
                                  {});
        fleet.run_for(20min);
        CHECK(fleet.state(0) == SeatState::seated);
        fleet.check_none_twice();
        fleet.check_engine_knows_all_ends();
        fleet.submit(0, 5);
        const std::size_t before = fleet.sent();
        fleet.run_for(1min);
        CHECK(fleet.sent() == before + 5);
    }
}

TEST_CASE("fleet: a rebuild goes through though connections break, and boxes are killed in it") {
    Counted fleet(3);
    fleet.submit(0, 200);
    fleet.submit(1, 100);
    fleet.run_for(6s);
    fleet.engine.back_up();
    fleet.run_for(30s);
    fleet.restore_and_rebuild(0);
    for (int step = 0; step < 40; ++step) {
        fleet.run_for(std::chrono::milliseconds(37 + step * 11));
        const std::size_t box = static_cast<std::size_t>(step) % 3;
        if (step % 5 == 4) {
            fleet.box(box).kill({});
            fleet.box(box).start();
        }
        fleet.engine.break_link(box);
    }
    fleet.run_for(40min);
    CHECK(fleet.state(0) == SeatState::seated);
    fleet.check_none_twice();
    fleet.check_ended(24);  // in flight as boxes ended
}

TEST_CASE(
    "fleet: the same rebuild twice, and one of an engine that forgot nothing, change nothing") {
    Counted fleet(2);
    fleet.submit(0, 60);
    fleet.run_for(10s);
    fleet.rebuild(0);
    fleet.run_for(100ms);
    fleet.rebuild(0);  // by the seat that the first one has ended
    fleet.run_for(20s);
    REQUIRE(fleet.state(1) == SeatState::seated);
    fleet.rebuild(1);
    fleet.run_for(10min);
    fleet.check_all_sent();
}

TEST_CASE(
    "fleet: a rebuild that is ordered under a seat that has ended is given under the next one") {
    Counted fleet(2);
    fleet.submit(0, 20);
    fleet.run_for(3s);
    fleet.engine.back_up();
    fleet.run_for(1min);
    fleet.engine.restore();
    fleet.run_for(10s);
    REQUIRE(fleet.state(0) == SeatState::closed);
    // By another box, which ends all seats: this one does not know it yet.
    fleet.engine.link(1).post(ports::Rebuild{.seat = *fleet.box(1).desk().seat().seat()}, {});
    const auto before = fleet.box(0).desk().seat().seat();
    fleet.run_for(5ms);
    REQUIRE(fleet.box(0).desk().seat().seat() == before);
    std::optional<Result<>> ordered;
    fleet.box(0).desk().orders().give(ports::Rebuild{.seat = {}},
                                      [&](Result<> done) { ordered.emplace(std::move(done)); });
    fleet.run_for(3s);
    REQUIRE(ordered);
    CHECK(*ordered);
    fleet.run_for(10min);
    fleet.check_all_sent();
}

TEST_CASE(
    "fleet: an order over a connection that was lost unnoticed is given behind the next entry") {
    Counted fleet(1);
    fleet.engine.break_link(0);
    std::optional<Result<>> ordered;
    fleet.box(0).desk().orders().give(
        ports::SetLife{.seat = {}, .name = "box1", .life = ports::BoxLife::draining},
        [&](Result<> done) { ordered.emplace(std::move(done)); });
    fleet.run_for(3s);
    REQUIRE(ordered);
    CHECK(*ordered);
}

TEST_CASE("fleet: an order while no engine answers is refused, not kept for later") {
    Counted fleet(1);
    fleet.engine.cut(0, test::Cut::both);
    fleet.run_for(1min);
    REQUIRE(fleet.state(0) != SeatState::seated);
    std::optional<Result<>> ordered;
    fleet.box(0).desk().orders().give(
        ports::SetLife{.seat = {}, .name = "box1", .life = ports::BoxLife::draining},
        [&](Result<> done) { ordered.emplace(std::move(done)); });
    fleet.run_for(5s);
    REQUIRE(ordered);
    REQUIRE_FALSE(*ordered);
    CHECK(ordered->error().code == Errc::cluster_away);
    fleet.engine.cut(0, test::Cut::none);
    fleet.run_for(1min);
    CHECK(fleet.box(0).desk().seat().own_row()->life == ports::BoxLife::running);
}

TEST_CASE("fleet: an engine that is restored twice from the same backup gets all twice") {
    Counted fleet(2);
    fleet.submit(0, 60);
    fleet.run_for(3s);
    fleet.engine.back_up();
    for (int times = 0; times < 2; ++times) {
        fleet.run_for(times == 0 ? 20s : 1min);
        fleet.restore_and_rebuild(0);
        fleet.run_for(5s);
    }
    fleet.run_for(10min);
    fleet.check_all_sent();
}

TEST_CASE("fleet: a restore over connections on which nothing was said is noticed") {
    Counted fleet(2);
    fleet.submit(0, 20);
    fleet.run_for(1s);
    fleet.engine.back_up();
    fleet.run_for(5min);
    REQUIRE(fleet.sent() == 20);
    for (int ms = 0; ms < 3'000; ms += 250) {
        fleet.run_for(std::chrono::milliseconds(ms));
        fleet.engine.restore();
        fleet.run_for(10s);
        CHECK(fleet.state(0) == SeatState::closed);
        CHECK(fleet.state(1) == SeatState::closed);
        fleet.rebuild(1);
        fleet.run_for(1min);
        fleet.check_all_sent();
    }
}

TEST_CASE("fleet: what another box has got since the backup stays with that") {
    Counted fleet(3);
    fleet.submit(0, 60);
    fleet.run_for(2s);
    fleet.engine.back_up();
    // The first box gives back what it has firm, and others send it.
    fleet.engine.link(1).post(ports::SetLife{.seat = *fleet.box(1).desk().seat().seat(),
                                             .name = "box1",
                                             .life = ports::BoxLife::draining},
                              {});
    fleet.run_for(5min);
    REQUIRE(fleet.sent() == 60);
    fleet.submit(1, 30);
    fleet.run_for(5s);
    fleet.restore_and_rebuild(2);
    fleet.run_for(10min);
    fleet.check_all_sent();
    fleet.check_engine_knows_all_ends();
}

TEST_CASE("fleet: what a silent box had firm, and another one has sent, is not sent once more") {
    Counted fleet(2, {.alone = 60s, .uncertain = 60s, .resend = true});
    fleet.submit(0, 30);
    fleet.run_for(2s);
    fleet.engine.back_up();
    fleet.box(0).kill({});
    fleet.run_for(10min);
    REQUIRE(fleet.sent() == fleet.accepted());
    const int before = fleet.times();
    fleet.restore_and_rebuild(1);
    // The silent one puts back first.
    fleet.run_for(100ms);
    fleet.engine.stall_link(1, 30s);
    fleet.box(0).start();
    fleet.run_for(20s);
    REQUIRE(fleet.state(0) == SeatState::returning);
    fleet.run_for(20min);
    CHECK(fleet.times() == before);
    fleet.check_engine_knows_all_ends();
}

TEST_CASE("fleet: a box that has put back and dies leaves nothing that it has sent to the policy") {
    Counted fleet(2, {.alone = 60s, .uncertain = 60s, .resend = true});
    fleet.submit(0, 500);  // of several rounds
    fleet.run_for(2s);
    fleet.engine.back_up();
    fleet.box(1).kill({});
    fleet.run_for(60min);
    const int before = fleet.times();
    REQUIRE(fleet.sent() == fleet.accepted());
    fleet.restore_and_rebuild(0);
    fleet.run_for(1min);
    REQUIRE(fleet.state(0) == SeatState::returning);  // it waits for the other one
    fleet.check_engine_knows_all_ends();
    fleet.box(0).kill({});
    fleet.box(1).start();
    fleet.run_for(10min);
    CHECK(fleet.state(1) == SeatState::seated);
    CHECK(fleet.times() == before);
}

TEST_CASE("fleet: a doubt that the engine cannot keep is said until it can") {
    Counted fleet(2);
    fleet.submit(0, 20);
    fleet.run_for(1s);
    fleet.engine.back_up();
    fleet.run_for(5min);
    fleet.engine.restore();
    fleet.engine.fill_disk(true);
    fleet.run_for(1min);
    CHECK(fleet.state(0) != SeatState::seated);
    fleet.engine.fill_disk(false);
    fleet.run_for(10s);
    CHECK(fleet.state(0) == SeatState::closed);
    fleet.rebuild(0);
    fleet.run_for(1min);
    fleet.check_all_sent();
}

TEST_CASE("fleet: a rebuild ends although a box sends all the time, over a slow link") {
    Counted fleet(2);
    fleet.submit(0, 120);
    fleet.run_for(2s);
    fleet.engine.back_up();
    fleet.run_for(10s);
    fleet.engine.times.trip = 150ms;
    fleet.restore_and_rebuild(0);
    fleet.run_for(40s);
    REQUIRE(fleet.sent() < fleet.accepted());  // firm messages were sent all the time
    CHECK(fleet.state(0) == SeatState::seated);
    CHECK(fleet.state(1) == SeatState::seated);
    fleet.run_for(20min);
    fleet.check_all_sent();
}
