#include "src/scaling/ledger.hpp"

#include <chrono>

namespace smsrack::scaling {

WaitPrice Ledger::price(double load, std::uint32_t fewer, double periods) const {
    const double seconds = std::chrono::duration<double>(rules_.period).count();
    const auto left = [&](std::uint32_t nodes) {
        return backlog_after(own_.backlog(), load, nodes, rules_.node_rate, seconds);
    };
    const double queued =
        queue_wait(load, fewer, rules_.node_rate) - queue_wait(load, fewer + 1, rules_.node_rate);
    const double not_gone = (left(fewer) - left(fewer + 1)) / (fewer * rules_.node_rate) *
                            static_cast<double>(rules_.samples);
    const double wait = periods * (queued + not_gone);
    return {.by_message = wait * load, .by_time = wait};
}

}  // namespace smsrack::scaling
