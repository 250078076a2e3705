#include "drivers/gsm/modem_states.hpp"

namespace smsrack::gsm {
namespace {

using ports::LineLife;

struct StateWords {
    ModemState state;
    std::string_view name;
    LineLife life;
};

constexpr std::array words{
    StateWords{ModemState::closed, "closed", LineLife::opening},
    StateWords{ModemState::opening, "opening", LineLife::opening},
    StateWords{ModemState::absent, "absent", LineLife::absent},
    StateWords{ModemState::evidence, "evidence", LineLife::identifying},
    StateWords{ModemState::probing, "probing", LineLife::identifying},
    StateWords{ModemState::identifying, "identifying", LineLife::identifying},
    StateWords{ModemState::sim_wait, "sim_wait", LineLife::sim_wait},
    StateWords{ModemState::registering, "registering", LineLife::registering},
    StateWords{ModemState::ready, "ready", LineLife::ready},
    StateWords{ModemState::draining, "draining", LineLife::draining},
    StateWords{ModemState::failed, "failed", LineLife::failed},
    StateWords{ModemState::dozing, "dozing", LineLife::asleep},
    StateWords{ModemState::asleep, "asleep", LineLife::asleep},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (static_cast<std::size_t>(words[i].state) != i) {
            return false;
        }
    }
    return true;
}
static_assert(in_order(), "the rows are in the order of ModemState, so that a state is an index");

const StateWords& words_of(ModemState state) {
    return words.at(static_cast<std::size_t>(state));
}

}  // namespace

std::string_view state_name(ModemState state) {
    return words_of(state).name;
}

LineLife life_of(ModemState state) {
    return words_of(state).life;
}

}  // namespace smsrack::gsm
