#include "firmware-host/gate/wrong_tokens.hpp"

#include <algorithm>

namespace smsrack::gate {

bool WrongTokens::add(std::uint32_t network, SteadyTime now) {
    if (networks_.size() >= addresses_max && !networks_.contains(network)) {
        std::erase_if(networks_,
                      [&](const auto& entry) { return now >= entry.second.since + minute; });
        if (networks_.size() >= addresses_max) {
            networks_.erase(std::ranges::min_element(
                networks_, {}, [](const auto& entry) { return entry.second.since; }));
        }
    }
    Count& count = networks_[network];
    if (count.wrong == 0 || now >= count.since + minute) {
        count = {.since = now};
    }
    return ++count.wrong == wrong_max + 1;
}

std::optional<std::chrono::seconds> WrongTokens::wait_of(std::uint32_t network,
                                                         SteadyTime now) const {
    const auto found = networks_.find(network);
    if (found == networks_.end() || found->second.wrong <= wrong_max ||
        now >= found->second.since + minute) {
        return std::nullopt;
    }
    return std::chrono::ceil<std::chrono::seconds>(found->second.since + minute - now);
}

}  // namespace smsrack::gate
