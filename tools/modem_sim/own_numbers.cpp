#include "tools/modem_sim/own_numbers.hpp"

#include "tools/modem_model/settings.hpp"

#include <utility>

namespace smsrack::modem_sim {

OwnNumbers::OwnNumbers(unsigned first, unsigned modems, std::chrono::milliseconds delay,
                       Journal& journal)
    : first_(first), delay_(delay), journal_(journal) {
    for (unsigned i = 0; i < modems && delay.count() >= 0; ++i) {
        modem_of_.emplace(number_of(i), i);
    }
}

std::string OwnNumbers::number_of(unsigned modem) const {
    return make_identity(first_ + modem).number;
}

void OwnNumbers::submit(SteadyTime at, unsigned modem, const SubmitEntry& entry) {
    journal_.submit(at, modem, entry);
    if (const auto to = modem_of_.find(entry.to); to != modem_of_.end()) {
        on_their_way_.emplace(
            at + delay_,
            OnItsWay{.to = to->second, .from = modem, .submit = std::string(entry.pdu)});
    }
}

OwnNumbers::OnItsWay OwnNumbers::take() {
    OnItsWay next = std::move(on_their_way_.begin()->second);
    on_their_way_.erase(on_their_way_.begin());
    return next;
}

}  // namespace smsrack::modem_sim
