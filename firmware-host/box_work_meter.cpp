#include "firmware-host/box_work_meter.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace smsrack::host {

cluster::BoxWork BoxWorkMeter::look(SteadyTime now) {
    if (looked_at_ && now - *looked_at_ < least) {
        return work_;
    }
    const std::vector<ports::LineView> lines = rack_->lines();
    const double seconds =
        looked_at_ ? std::chrono::duration<double>(now - *looked_at_).count() : 0;
    cluster::BoxWork work{.forecast = rack_->scaling().forecast};
    busy_.resize(std::max(busy_.size(), lines.size()));
    std::size_t able = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const ports::LineView& line = lines[i];
        auto busy = line.busy_time;
        if (line.busy_since && now > *line.busy_since) {
            busy += now - *line.busy_since;
        }
        const auto worked = busy - std::exchange(busy_[i], busy);
        if (!ports::takes_work(line)) {
            continue;
        }
        ++able;
        if (std::ranges::find(work.groups, line.group) == work.groups.end()) {
            work.groups.push_back(line.group);
        }
        if (seconds > 0) {
            work.busy +=
                std::clamp(std::chrono::duration<double>(worked).count() / seconds, 0.0, 1.0);
        }
    }
    work.busy = able > 0 ? work.busy / static_cast<double>(able) : 0;
    const auto totals = flow_->totals();
    const auto before = std::exchange(totals_, totals);
    const std::uint64_t refused = admission_->refused();
    const std::uint64_t refused_before = std::exchange(refused_, refused);
    if (seconds > 0) {
        work.sent = static_cast<double>(totals.sent - before.sent) / seconds;
        // What was refused for overload was asked for.
        work.asked =
            static_cast<double>(totals.accepted - before.accepted + refused - refused_before) /
            seconds;
    }
    looked_at_ = now;
    work_ = std::move(work);
    return work_;
}

std::vector<std::string> BoxWorkMeter::iccids() const {
    std::vector<std::string> iccids;
    for (const ports::LineView& line : rack_->lines()) {
        if (!line.identity.iccid.empty()) {
            iccids.push_back(line.identity.iccid);
        }
    }
    return iccids;
}

}  // namespace smsrack::host
