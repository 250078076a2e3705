/// All simulated modems of the process, their ports and their faults, stepped to the next deadline.
///
/// Threads: one.
#pragma once

#include "src/base/result.hpp"
#include "tools/modem_model/faults/fault_rain.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/modem_sim/json_log.hpp"
#include "tools/modem_sim/modem_port.hpp"
#include "tools/modem_sim/options.hpp"
#include "tools/modem_sim/own_numbers.hpp"
#include "tools/modem_sim/poller.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::modem_sim {

class Rack {
public:
    /// Modems with their ports open. `poller` and `log` outlive the rack.
    [[nodiscard]] static Result<std::unique_ptr<Rack>> open(const Options& options, TimeBase start,
                                                            Poller& poller, JsonLog& log);

    /// Lets every modem that is due live up to now. Returns the next deadline.
    SteadyTime step(SteadyTime now);

    /// No faults by chance from now on, an end to all that last, and none that waits.
    [[nodiscard]] Result<> calm(SteadyTime now);

    [[nodiscard]] std::size_t size() const { return ports_.size(); }
    [[nodiscard]] ModemPort& port(std::size_t modem) { return *ports_[modem]; }

    /// A message to the modem's number, with the next id; "{id}" in its text becomes that id; an
    /// empty `from` makes a number of its own. False: too many wait already, or its PDU is none.
    [[nodiscard]] bool send_inbound(SteadyTime now, std::size_t modem, Inbound message);

private:
    Rack(const Options& options, TimeBase start, JsonLog& log);
    void bring_own(SteadyTime now);
    void plan_inbound(SteadyTime at);

    double inbound_rate_;
    SplitMix random_;
    SteadyTime next_inbound_ = never;
    SplitMix rain_random_;  // its own, so that a seed gives the same faults whatever else happens
    FaultRain rain_;
    std::uint64_t last_id_ = 0;
    const TimeBase start_;
    OwnNumbers own_numbers_;
    std::vector<std::unique_ptr<ModemPort>> ports_;
    std::vector<SteadyTime> deadlines_;
};

}  // namespace smsrack::modem_sim
