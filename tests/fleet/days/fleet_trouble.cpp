#include "tests/fleet/days/fleet_trouble.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace smsrack::test {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

FleetTrouble::FleetTrouble(Random& random, EngineModel& engine,
                           std::vector<std::unique_ptr<FleetBox>>& boxes, FleetWatch& watch,
                           FleetOrders& orders, milliseconds away, Later later)
    : random_(random),
      engine_(engine),
      boxes_(boxes),
      watch_(watch),
      orders_(orders),
      away_(away),
      later_(std::move(later)),
      gone_(boxes.size(), false) {}

milliseconds FleetTrouble::some_time(milliseconds longest) {
    return 1s + milliseconds(random_.below(static_cast<std::uint64_t>(longest.count())));
}

std::vector<std::size_t> FleetTrouble::some_boxes() {
    const std::uint64_t subset = 1 + random_.below((std::uint64_t{1} << boxes_.size()) - 1);
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        if (((subset >> i) & 1U) != 0) {
            some.push_back(i);
        }
    }
    return some;
}

void FleetTrouble::happens(FleetCount what, std::string words) {
    ++totals_[what];
    watch_.note(std::move(words));
}

void FleetTrouble::draw() {
    switch (random_.below(12U)) {
        case 0:
            return cut();
        case 1:
            return stall_link();
        case 2:
            return stall_engine();
        case 3:
            return change_primary(some_time(40s));
        case 4:
            return lose_standby();
        case 5:
            return fill_disk();
        case 6:
            return hold_mail();
        case 7:
            return move_date();
        case 8:
            return freeze();
        case 9:
            return suspend();
        case 10:
            ++totals_[FleetCount::ordered];
            return orders_.draw(any_box());
        default:
            return drain();
    }
}

void FleetTrouble::cut() {
    struct Kind {
        Cut cut;
        FleetCount count;
        const char* words;
    };
    constexpr std::array kinds{Kind{Cut::both, FleetCount::cut, "nothing passes"},
                               Kind{Cut::requests, FleetCount::cut_requests, "no request passes"},
                               Kind{Cut::answers, FleetCount::cut_answers, "no answer passes"}};
    const Kind kind = kinds.at(random_.below(kinds.size()));
    // One in ten lasts until others decide what the box has.
    const milliseconds length = random_.below(10U) == 0 ? away_ + some_time(600s) : some_time(120s);
    for (const std::size_t box : some_boxes()) {
        happens(kind.count, fmt::format("{} between box {} and the engine, for {} s", kind.words,
                                        box + 1, length.count() / 1'000));
        engine_.cut(box, kind.cut);
        later_(length, [this, box] {
            engine_.cut(box, Cut::none);
            watch_.note(fmt::format("the link of box {} is whole again", box + 1));
        });
    }
}

void FleetTrouble::stall_link() {
    const std::size_t box = any_box();
    const milliseconds length = some_time(60s);
    happens(
        FleetCount::link_stalled,
        fmt::format("what box {} and the engine say comes {} ms later", box + 1, length.count()));
    engine_.stall_link(box, length);
}

void FleetTrouble::stall_engine() {
    const milliseconds length = some_time(119s);
    happens(FleetCount::stalled, fmt::format("the engine does nothing for {} ms", length.count()));
    engine_.stall(length);
}

void FleetTrouble::change_primary(milliseconds down) {
    happens(FleetCount::primary_changed, "another node is the engine's primary");
    engine_.change_primary(down);
}

/// Half of the times the primary is lost too, before the standby is back.
void FleetTrouble::lose_standby() {
    const milliseconds length = some_time(60s);
    happens(FleetCount::standby_lost,
            fmt::format("the engine has no standby for {} ms", length.count()));
    engine_.lose_standby(length);
    if (random_.below(2U) == 0) {
        later_(milliseconds(random_.below(static_cast<std::uint64_t>(length.count()))),
               [this] { change_primary(some_time(40s)); });
    }
}

void FleetTrouble::fill_disk() {
    happens(FleetCount::disk_full, "the engine's disk is full");
    engine_.fill_disk(true);
    later_(some_time(30s), [this] {
        engine_.fill_disk(false);
        watch_.note("the engine's disk has room again");
    });
}

void FleetTrouble::hold_mail() {
    const std::size_t box = any_box();
    happens(FleetCount::late_mail, fmt::format("the next mail of box {} commits late", box + 1));
    engine_.hold(box, true);
    later_(some_time(20s), [this, box] { engine_.hold(box, false); });
}

void FleetTrouble::move_date() {
    const std::size_t box = any_box();
    const milliseconds by = random_.below(2U) == 0 ? 24h : -24h;
    happens(FleetCount::date_moved,
            fmt::format("the date of box {} moves by {} h", box + 1, by / 1h));
    boxes_[box]->move_date(by);
}

void FleetTrouble::freeze() {
    const std::size_t box = any_box();
    const bool is_long = random_.below(4U) == 0;
    const milliseconds length = is_long ? away_ + some_time(600s) : some_time(119s);
    happens(is_long ? FleetCount::frozen_for_long : FleetCount::frozen,
            fmt::format("box {} is frozen for {} ms", box + 1, length.count()));
    boxes_[box]->freeze();
    later_(length, [this, box] {
        boxes_[box]->resume();  // it may have been suspended, too
        watch_.note(fmt::format("box {} runs again", box + 1));
    });
}

void FleetTrouble::suspend() {
    const std::size_t box = any_box();
    const milliseconds length = random_.below(4U) == 0 ? away_ + some_time(600s) : some_time(119s);
    happens(FleetCount::suspended,
            fmt::format("box {} is suspended for {} ms", box + 1, length.count()));
    boxes_[box]->suspend();
    later_(length, [this, box] {
        boxes_[box]->resume();
        watch_.note(fmt::format("box {} runs again", box + 1));
    });
}

bool FleetTrouble::set_life(std::size_t box, ports::BoxLife life) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        if (boxes_[i]->runs() && boxes_[i]->desk().seat().is_seated()) {
            engine_.link(i).post(ports::SetLife{.seat = *boxes_[i]->desk().seat().seat(),
                                                .name = fmt::format("box{}", box + 1),
                                                .life = life},
                                 {});
            return true;
        }
    }
    return false;
}

void FleetTrouble::drain() {
    const std::size_t box = any_box();
    if (!set_life(box, ports::BoxLife::draining)) {
        return;
    }
    happens(FleetCount::drained, fmt::format("the operator drains box {}", box + 1));
    later_(some_time(120s), [this, box] {
        (void)set_life(box, ports::BoxLife::running);
        watch_.note(fmt::format("the operator resumes box {}", box + 1));
    });
}

void FleetTrouble::declare_dead(std::size_t box) {
    if (set_life(box, ports::BoxLife::dead)) {
        happens(FleetCount::declared_dead,
                fmt::format("the operator says that box {} is dead", box + 1));
    }
}

void FleetTrouble::restore() {
    happens(FleetCount::restored, "a backup of the engine is made");
    engine_.back_up();
    later_(some_time(20min), [this] {
        // A person closes it before a box can enter (docs/fleet.md). Boxes that were all in contact see by themselves what is missing.
        const bool is_closed = !are_all_seated();
        watch_.note(fmt::format("the engine is restored from its backup{}",
                                is_closed ? ", and closed" : ""));
        engine_.restore(is_closed);
        orders_.engine_is_restored();
        order_rebuild();
    });
}

bool FleetTrouble::are_all_seated() const {
    return std::ranges::all_of(boxes_, [](const auto& box) {
        return box->runs() && !box->is_frozen() && box->desk().seat().is_seated();
    });
}

/// By each box that has a seat. Where none has found out anything, the person orders it all the same.
void FleetTrouble::order_rebuild(int waited) {
    constexpr int patience = 20;
    later_(some_time(60s), [this, waited] {
        for (const auto& box : boxes_) {
            const auto seat = box->runs() ? box->desk().seat().seat() : std::nullopt;
            if (seat && (engine_.state().is_doubted() || waited == patience)) {
                watch_.note("a person orders the rebuild");
                engine_.link(static_cast<std::size_t>(seat->box.value) - 1)
                    .post(ports::Rebuild{.seat = *seat}, {});
            }
        }
        if (engine_.is_forgetful()) {
            order_rebuild(waited == patience ? 0 : waited + 1);
        }
    });
}

void FleetTrouble::kill() {
    const std::size_t box = any_box();
    if (!boxes_[box]->runs()) {
        return;
    }
    // An exchange with the engine takes some ten steps of a busy box.
    constexpr unsigned steps = 30;
    const BoxEnd end{.after = static_cast<int>(random_.below(5U) == 0 ? 0 : random_.below(steps)),
                     .before_its_commit = random_.below(2U) == 0};
    happens(end.after == 0 ? FleetCount::killed : FleetCount::killed_between_steps,
            fmt::format("box {} is killed {} steps later", box + 1, end.after));
    totals_[FleetCount::killed_before_commit] += end.after > 0 && end.before_its_commit ? 1 : 0;
    boxes_[box]->kill(end);
}

void FleetTrouble::take_away(std::size_t box) {
    happens(FleetCount::gone, fmt::format("box {} does not come back", box + 1));
    gone_.at(box) = true;
    boxes_[box]->kill({});
    // The operator's word for a box that may run would break the promises; for this one it is true.
    if (random_.below(2U) == 0) {
        later_(some_time(300s), [this, box] { declare_dead(box); });
    }
}

void FleetTrouble::died(std::size_t box) {
    watch_.note(fmt::format("the process of box {} ends", box + 1));
    // What was sent arrives, or the connection was gone first.
    if (random_.below(2U) == 0) {
        engine_.break_link(box);
    }
    if (gone_.at(box)) {
        return;
    }
    const std::array lengths{milliseconds(10s), milliseconds(120s), away_ + 600s};
    const milliseconds length = some_time(lengths.at(random_.below(lengths.size())));
    totals_[FleetCount::away_for_long] += length >= away_ ? 1 : 0;
    later_(length, [this, box] {
        if (!boxes_[box]->runs() && !gone_.at(box)) {
            watch_.note(fmt::format("box {} starts", box + 1));
            boxes_[box]->start();
        }
    });
}

void FleetTrouble::repair() {
    watch_.note("everything is repaired");
    engine_.chances = {};
    engine_.fill_disk(false);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        engine_.cut(i, Cut::none);
        engine_.hold(i, false);
        boxes_[i]->resume();
        boxes_[i]->spare();
        if (!boxes_[i]->runs() && !gone_.at(i)) {
            boxes_[i]->start();
        }
    }
}

/// The order to resume may have been lost with the seat that gave it.
void FleetTrouble::resume_all() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        const BoxNumber number{static_cast<std::int32_t>(i) + 1};
        if (!gone_.at(i) && engine_.state().life_of(number) == ports::BoxLife::draining) {
            (void)set_life(i, ports::BoxLife::running);
        }
    }
}

FleetTotals FleetTrouble::counts() const {
    FleetTotals all = totals_;
    const EngineFaults& faults = engine_.faults();
    all[FleetCount::lost_before_commit] = faults.lost_before;
    all[FleetCount::lost_after_commit] = faults.lost_after;
    all[FleetCount::slow_answers] = faults.slow;
    all[FleetCount::serialization] = faults.refused;
    all[FleetCount::refused_by_disk] = faults.disk_full;
    all[FleetCount::warned] = faults.warned;
    all[FleetCount::taken_back] = faults.taken_back;
    all[FleetCount::visible_late] = faults.late;
    all[FleetCount::cut_off] = faults.cut_off;
    return all;
}

}  // namespace smsrack::test
