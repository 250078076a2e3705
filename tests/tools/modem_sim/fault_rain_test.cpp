#include "tools/modem_model/faults/fault_rain.hpp"

#include "tools/modem_model/faults/split_mix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

struct Fallen {
    SteadyTime at;
    unsigned modem;
    modem_sim::FaultKind kind;

    friend bool operator==(const Fallen&, const Fallen&) = default;
};

std::vector<Fallen> fall(std::uint64_t seed, std::chrono::hours time,
                         std::vector<modem_sim::FaultKind> kinds = {}) {
    modem_sim::SplitMix random(seed);
    const SteadyTime start{};
    modem_sim::FaultRain rain({.modems = 8, .per_hour = 10, .kinds = std::move(kinds)}, random,
                              start);
    std::vector<Fallen> fallen;
    while (rain.due() <= start + time) {
        const SteadyTime at = rain.due();
        const modem_sim::TimedFault next = rain.take();
        fallen.push_back({at, next.modem, next.fault.kind});
    }
    return fallen;
}

}  // namespace

TEST_CASE("FaultRain: the same seed gives the same faults, another one others") {
    CHECK(fall(1, 2h) == fall(1, 2h));
    CHECK(fall(1, 2h) != fall(2, 2h));
}

TEST_CASE("FaultRain: as many as asked for, on all modems, of every kind that has a weight") {
    const auto fallen = fall(3, 100h);
    std::map<modem_sim::FaultKind, int> kinds;
    std::map<unsigned, int> modems;
    int begun = 0;
    for (const Fallen& one : fallen) {
        ++kinds[one.kind];
        ++modems[one.modem];
        begun += modem_sim::fault_row(one.kind).weight > 0 ? 1 : 0;
    }
    CHECK(begun > 8 * 10 * 100 * 0.95);
    CHECK(begun < 8 * 10 * 100 * 1.05);
    CHECK(modems.size() == 8);
    for (const modem_sim::FaultRow& row : modem_sim::faults()) {
        CAPTURE(row.name);
        const bool ends_another = std::ranges::any_of(modem_sim::faults(), [&](const auto& other) {
            return other.weight > 0 && other.ended_by == row.kind;
        });
        CHECK((kinds[row.kind] > 0) == (row.weight > 0 || ends_another));
    }
}

TEST_CASE("FaultRain: what lasts ends by its own end, and one modem has one at a time") {
    std::map<unsigned, modem_sim::FaultKind> lasting;
    for (const Fallen& one : fall(4, 100h)) {
        const auto held = lasting.find(one.modem);
        const bool ends =
            held != lasting.end() && modem_sim::fault_row(held->second).ended_by == one.kind;
        if (ends) {
            lasting.erase(held);
        } else if (modem_sim::fault_row(one.kind).ended_by) {
            CHECK(held == lasting.end());
            lasting[one.modem] = one.kind;
        } else {
            CHECK(modem_sim::fault_row(one.kind).weight > 0);  // no end without a begin
        }
    }
}

TEST_CASE("FaultRain: only the kinds asked for") {
    for (const Fallen& one :
         fall(5, 10h, {modem_sim::FaultKind::reboot, modem_sim::FaultKind::lose_answer})) {
        CHECK((one.kind == modem_sim::FaultKind::reboot ||
               one.kind == modem_sim::FaultKind::lose_answer));
    }
}
