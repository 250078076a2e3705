#include "tools/modem_model/life.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace smsrack::modem_sim {
namespace {

/// Parts of the whole start-up time that a step takes.
struct StartStep {
    Life from;
    LifeEvent event;
    int per_mille;
};
constexpr std::array start_steps{
    StartStep{Life::starting, LifeEvent::wind3, 200},
    StartStep{Life::limited, LifeEvent::wind4, 400},
    StartStep{Life::initialised, LifeEvent::wind16, 400},
};

const StartStep* step_from(Life life) {
    for (const StartStep& step : start_steps) {
        if (step.from == life) {
            return &step;
        }
    }
    return nullptr;
}

void plan_next_step(Core& core, SteadyTime at) {
    const StartStep* step = step_from(core.life);
    const bool waits_for_card = core.life == Life::limited && !core.card.usable();
    core.life_at =
        step == nullptr || waits_for_card
            ? never
            : at + std::chrono::microseconds(core.settings.boot) * step->per_mille / 1000;
}

/// The bit of AT+WIND=<mask> that switches an event on.
constexpr unsigned wind_bit(unsigned event) {
    if (event <= 1) {
        return 1;
    }
    return event <= 13 ? 1U << (event - 1) : 1U << (event - 2);
}
static_assert(wind_bit(3) == 4 && wind_bit(4) == 8 && wind_bit(8) == 128);
static_assert(wind_bit(13) == 4096 && wind_bit(14) == 4096 && wind_bit(16) == 16384);

void wind(Core& core, unsigned event) {
    const bool known = event != 16 || core.settings.wind16;
    if (known && (static_cast<unsigned>(core.wind_mask) & wind_bit(event)) != 0) {
        core.output.urc(fmt::format("+WIND: {}", event));
    }
}

void tell_registration(Core& core) {
    if (core.prefs.general.creg > 0) {
        core.output.urc("+CREG: " + registration_text(core));
    }
}

/// What was never confirmed: the service centre has it still, for the SIM that it came to, and gives
/// it again.
void leave_to_centre(Core& core) {
    if (core.unacknowledged) {
        core.smsc.put(core.acknowledge_by + core.settings.network_retry,
                      std::move(*core.unacknowledged));
        core.unacknowledged.reset();
        core.acknowledge_by = never;
    }
}

void forget(Core& core) {  // what a restart does
    core.output.reset();
    core.prefs = core.saved;
    core.prefs.now = {};
    core.entry = {};
    core.in_flight.reset();
    core.erasing.reset();
    core.confirms = false;
    core.ussd_at = never;
    core.call = {};
    core.faults.hung = false;
    core.faults.stalled = false;
    (void)core.apply(InputEvent::reset);
    core.card.unlocked = core.card.pin.empty();
    leave_to_centre(core);
}

}  // namespace

void power_on(Core& core, SteadyTime at) {
    if (core.apply(LifeEvent::power_on)) {
        plan_next_step(core, at);
    }
}

void power_off(Core& core) {
    if (core.apply(LifeEvent::power_off)) {
        forget(core);
        core.life_at = never;
    }
}

void restart(Core& core, SteadyTime at) {
    if (core.apply(LifeEvent::restart)) {
        forget(core);
        plan_next_step(core, at);
    }
}

void power_on_ready(Core& core) {
    for (const LifeEvent event :
         {LifeEvent::power_on, LifeEvent::wind3, LifeEvent::wind4, LifeEvent::wind16}) {
        if (event == LifeEvent::wind4 && !core.card.usable()) {
            break;
        }
        (void)core.apply(event);
    }
    core.life_at = never;
}

void remove_card(Core& core) {
    core.card.present = false;
    core.entry.card_left = true;
    if (core.in_flight) {
        core.in_flight->card_left = true;
    }
    if (core.apply(LifeEvent::card_out)) {
        core.life_at = never;
        wind(core, 0);
        tell_registration(core);
    }
}

void insert_card(Core& core, SteadyTime at) {
    if (core.card.present) {
        return;
    }
    core.card.present = true;
    core.card.unlocked = core.card.pin.empty();
    if (core.life == Life::limited) {
        wind(core, 1);
        plan_next_step(core, at);
    }
}

void card_unlocked(Core& core, SteadyTime at) {
    core.card.unlocked = true;
    if (core.life == Life::limited) {
        plan_next_step(core, at);
    }
}

void swap_card(Core& core, SteadyTime at, unsigned index) {
    remove_card(core);
    leave_to_centre(core);
    Identity& now = core.settings.identity;
    const Identity wanted = make_identity(index);
    core.drawer.push_back(
        {.identity = now,
         .card = std::exchange(core.card, {.sms = SmsMemory(core.settings.sm_places)}),
         .smsc = std::exchange(core.smsc, {})});
    const auto known = std::ranges::find(core.drawer, wanted.iccid,
                                         [](const TakenOut& sim) { return sim.identity.iccid; });
    if (known != core.drawer.end()) {
        core.card = std::move(known->card);
        core.smsc = std::move(known->smsc);
        core.drawer.erase(known);
    }
    now.imsi = wanted.imsi;
    now.iccid = wanted.iccid;
    now.number = wanted.number;
    core.card.present = false;
    insert_card(core, at);
}

void lock_card(Core& core, SteadyTime at, std::string_view pin, int attempts) {
    core.card.pin = pin;
    core.card.pin_attempts = attempts;
    restart(core, at);
}

void set_coverage(Core& core, Coverage coverage) {
    if (core.coverage == coverage) {
        return;
    }
    core.coverage = coverage;
    if (core.life == Life::ready && core.prefs.now.full_function) {
        if (coverage == Coverage::lost) {
            wind(core, 8);
        }
        tell_registration(core);
    }
}

void set_full_function(Core& core, bool full) {
    if (core.prefs.now.full_function != full) {
        core.prefs.now.full_function = full;
        tell_registration(core);
    }
}

void step_life(Core& core, SteadyTime at) {
    const StartStep* step = step_from(core.life);
    if (core.life_at > at || step == nullptr) {
        return;
    }
    if (step->event == LifeEvent::wind4 && core.faults.take(FaultKind::reboot_loop)) {
        restart(core, at);
        return;
    }
    if (!core.apply(step->event)) {
        return;
    }
    plan_next_step(core, at);
    switch (step->event) {
        case LifeEvent::wind3:
            wind(core, core.card.present ? 1 : 0);
            wind(core, 3);
            if (!core.card.usable()) {
                wind(core, 7);
            }
            break;
        case LifeEvent::wind4:
            wind(core, 4);
            break;
        case LifeEvent::wind16:
            tell_registration(core);
            wind(core, 10);
            wind(core, 16);
            break;
        default:
            break;
    }
}

int registration_stat(const Core& core) {
    if (core.registered()) {
        return core.coverage == Coverage::home ? 1 : 5;
    }
    if (core.life == Life::ready && core.coverage == Coverage::denied) {
        return 3;
    }
    const bool searching = core.life == Life::ready || core.life == Life::initialised;
    return searching && core.prefs.now.full_function ? 2 : 0;
}

std::string registration_text(const Core& core) {
    const int stat = registration_stat(core);
    return core.prefs.general.creg == 2 && core.registered()
               ? fmt::format(R"({},"1A2B","C3D4")", stat)
               : fmt::to_string(stat);
}

}  // namespace smsrack::modem_sim
