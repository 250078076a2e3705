#include "src/dispatch/routes.hpp"

namespace smsrack::dispatch {

SimId Routes::known(const OutMessage& message) const {
    if (message.body.part || message.sim_is_named) {  // not its recipient decides
        return message.known_sim;
    }
    const auto here = sims_.find(line::recipient_hash(message.body.to));
    return here == sims_.end() ? message.known_sim : here->second;
}

void Routes::given(OutMessage& message, SimId sim) {
    if (!message.sticky || message.body.part || message.sim_is_named) {
        return;
    }
    if (sims_.size() >= places_) {
        sims_.clear();  // the store has those whose message was taken
    }
    sims_.insert_or_assign(line::recipient_hash(message.body.to), sim);
    message.known_sim = sim;
}

}  // namespace smsrack::dispatch
