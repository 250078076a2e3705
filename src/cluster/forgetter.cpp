#include "src/cluster/forgetter.hpp"

#include <chrono>

namespace smsrack::cluster {

void Forgetter::begin() {
    constexpr std::chrono::minutes pause{1};
    const SteadyTime now = world_.clock.steady();
    if (now < next_) {
        return end();
    }
    of_ = *seat_.seat();
    next_ = now + pause;
    world_.ask(
        world_.engine,
        ports::ForgetEnded{
            .seat = of_, .older_than = world_.settings.known, .limit = ports::engine_batch_max},
        [this](const Result<std::size_t>& forgotten) {
            if (!forgotten) {
                return give_up(of_, forgotten.error());
            }
            const bool more = *forgotten == ports::engine_batch_max;
            next_ = more ? SteadyTime{} : next_;
            end(more);
        });
}

}  // namespace smsrack::cluster
