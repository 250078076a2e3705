/// How much work this box has, measured from one look to the next, for the scaling of the fleet.
///
/// Unit:    messages per second; the share of a modem is the part of the time that it had a message in flight.
/// Time:    steady, of the caller.
/// Threads: the fleet's desk.
/// Source:  [Elastic] CPU_i and f_i of a rack.
#pragma once

#include "src/base/clock.hpp"
#include "src/cluster/box_work.hpp"
#include "src/dispatch/scale/flow_meter.hpp"
#include "src/overload/admission.hpp"
#include "src/ports/rack_view.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::host {

class BoxWorkMeter {
public:
    /// After a shorter time the figures of the look before are given again.
    static constexpr std::chrono::milliseconds least{400};

    /// All outlive the object. Before the first look.
    void of(const ports::RackView& rack, const dispatch::FlowMeter& flow,
            const overload::Admission& admission) {
        rack_ = &rack;
        flow_ = &flow;
        admission_ = &admission;
    }

    /// The first one has no figures, as there was no time before it.
    [[nodiscard]] cluster::BoxWork look(SteadyTime now);
    /// Of the SIMs that modems have now.
    [[nodiscard]] std::vector<std::string> iccids() const;

private:
    const ports::RackView* rack_ = nullptr;
    const dispatch::FlowMeter* flow_ = nullptr;
    const overload::Admission* admission_ = nullptr;
    std::optional<SteadyTime> looked_at_ = {};
    std::vector<std::chrono::nanoseconds> busy_ = {};  // of each line, up to the last look
    dispatch::FlowMeter::Totals totals_ = {};
    std::uint64_t refused_ = 0;
    cluster::BoxWork work_ = {};  // of the last look
};

}  // namespace smsrack::host
