#include "drivers/wavecom/modem_states.hpp"

namespace smsrack::wavecom {

std::string_view state_name(ModemState state) {
    constexpr std::array<std::string_view, 9> names{"closed",      "opening",     "evidence",
                                                    "probing",     "identifying", "sim_wait",
                                                    "registering", "ready",       "draining"};
    return names.at(static_cast<std::size_t>(state));
}

}  // namespace smsrack::wavecom
