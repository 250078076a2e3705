#include "tools/modem_model/core.hpp"

#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr std::size_t bm_places = 20;
constexpr std::size_t me_places = 100;

}  // namespace

Core::Core(ModemSettings modem_settings, Random& modem_random, Journal& modem_journal)
    : settings(std::move(modem_settings)),
      random(modem_random),
      journal(modem_journal),
      card{.unlocked = settings.pin.empty(),
           .pin = settings.pin,
           .last_mr = static_cast<int>(modem_random.below(256)),
           .sms = SmsMemory(settings.sm_places)},
      reports(settings.sr_places),
      broadcasts(bm_places),
      phone(me_places) {
    prefs.general.baud = settings.baud;
    saved.general.baud = settings.baud;
}

SmsMemory& Core::memory(Memory which) {
    switch (which) {
        case Memory::sim:
            break;
        case Memory::reports:
            return reports;
        case Memory::broadcasts:
            return broadcasts;
        case Memory::phone:
            return phone;
    }
    return card.sms;
}

bool Core::apply(LifeEvent event) {
    const auto after = next(life_rules, life, event);
    stats.refused_events += after ? 0 : 1;
    life = after.value_or(life);
    return after.has_value();
}

bool Core::apply(InputEvent event) {
    const auto after = next(input_rules, input, event);
    stats.refused_events += after ? 0 : 1;
    input = after.value_or(input);
    return after.has_value();
}

}  // namespace smsrack::modem_sim
