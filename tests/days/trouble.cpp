#include "tests/days/trouble.hpp"

#include "tests/days/choice.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace smsrack::days {
namespace {

using enum modem_sim::FaultKind;

constexpr int foreign_card = 900;  // and above: SIMs of no modem of the rack

/// The operator has the SIM unlocked; it has the PIN that all have.
modem_sim::Fault unlocked() {
    return {.kind = pin_wanted, .count = 3, .text = std::string(pin)};
}

modem_sim::Fault own_card(unsigned modem) {
    return {.kind = sim_swapped, .code = static_cast<int>(modem)};
}

bool ends_another(modem_sim::FaultKind kind) {
    return std::ranges::any_of(modem_sim::faults(), [kind](const modem_sim::FaultRow& row) {
        return row.ended_by == kind;
    });
}

std::optional<modem_sim::Fault> end_of(modem_sim::FaultKind kind, unsigned modem) {
    if (kind == puk_wanted) {
        return unlocked();
    }
    if (kind == sim_swapped) {
        return own_card(modem);
    }
    const auto by = modem_sim::fault_row(kind).ended_by;
    return by ? std::optional(modem_sim::make_fault(*by)) : std::nullopt;
}

template <std::size_t count>
int one_of(Random& random, const std::array<int, count>& values) {
    return values.at(random.below(count));
}

/// What a fault says besides its kind: answers of most classes in the table of causes, before and
/// behind the time limits.
void draw_values(Random& random, modem_sim::Fault& fault) {
    using std::chrono::milliseconds;
    const auto delay = [&](const auto& values) {
        fault.delay = milliseconds(one_of(random, values));
    };
    switch (fault.kind) {
        case cms_error:
            fault.code = one_of(
                random, std::array{21, 27, 28, 38, 42, 81, 128, 304, 310, 330, 332, 500, 512});
            fault.at_command = random.below(3) == 0;
            break;
        case late_answer:
            return delay(std::array{1'000, 30'000, 110'000, 130'000});  // given up after 120 s
        case duplicate_inbound:
            return delay(std::array{1'000, 40'000});
        case dead_clock:
            fault.code = one_of(random, std::array{0, 1, 2});
            break;
        case erase_refused:  // not with 321, which says that nothing is there
            fault.code = one_of(random, std::array{314, 500});
            break;
        case erase_slow:
            return delay(std::array{1'000, 5'000, 30'000});
        case lose_octets:
        case urc_inside:
            fault.count = one_of(random, std::array{1, 10, 100});
            fault.code = one_of(random, std::array{10, 30, 100});
            break;
        case early_report:
            return delay(std::array{100, 500, 5'000});
        case late_report:
            return delay(std::array{60'000, 600'000, 7'200'000});
        case temporary_report:
            fault.code = one_of(random, std::array{0x20, 0x21, 0x25});
            return delay(std::array{5'000, 300'000});
        case report_status:
            fault.code = one_of(random, std::array{0x01, 0x02, 0x40, 0x41, 0x46, 0x60, 0x63});
            break;
        case report_zone:
            fault.code = one_of(random, std::array{-20, 8, 48});
            break;
        default:
            break;
    }
}

}  // namespace

Trouble draw_trouble(Random& random, unsigned modem) {
    modem_sim::FaultKind kind{};
    do {
        kind = modem_sim::faults()[random.below(modem_sim::fault_kinds)].kind;
    } while (ends_another(kind));
    modem_sim::Fault fault = modem_sim::make_fault(kind);
    const modem_sim::FaultRow& row = modem_sim::fault_row(kind);
    if (row.count == 1 && row.count_max > 1 && kind != undecodable) {
        fault.count = 1 + static_cast<int>(random.below(3));
    }
    draw_values(random, fault);
    if (kind == pin_wanted) {
        fault = unlocked();
    } else if (kind == puk_wanted) {
        fault.text = std::string(pin);
    } else if (kind == sim_swapped) {
        fault.code = foreign_card + static_cast<int>(modem);
    }
    return {.fault = std::move(fault), .end = end_of(kind, modem)};
}

}  // namespace smsrack::days
