/// The rack at a glance, put together from its parts: implements ports::RackView.
///
/// Threads: any.
#pragma once

#include "src/base/guarded_clock.hpp"
#include "src/base/log.hpp"
#include "src/dispatch/boards.hpp"
#include "src/dispatch/condition_board.hpp"
#include "src/dispatch/conditions.hpp"
#include "src/dispatch/dispatcher.hpp"
#include "src/dispatch/scale/flow_meter.hpp"
#include "src/line/line_board.hpp"
#include "src/overload/admission.hpp"
#include "src/ports/rack_view.hpp"
#include "src/ports/store.hpp"
#include "src/ports/store_health.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

/// What is looked at; all outlive the view.
struct RackShown {
    const line::LineBoard& board;
    const FlowMeter& flow;
    const ports::Store& store;
    overload::Admission& admission;
    const ScalingBoard& scaling;
    const PauseBoard& pauses;
    const Dispatcher& dispatcher;
    const Clock& clock;
    const GuardedClock* guard = nullptr;         ///< null where the clock is believed
    const ports::StoreHealth* health = nullptr;  ///< null where the store can always write
    /// what the host sees; empty: nothing
    std::function<std::vector<ports::Condition>()> box = {};
};

class RackStatusView final : public ports::RackView {
public:
    /// `log` outlives the object.
    RackStatusView(RackShown rack, Log& log) : rack_(std::move(rack)), conditions_(log) {}

    [[nodiscard]] std::vector<ports::LineView> lines() const override {
        return rack_.board.lines();
    }
    [[nodiscard]] ports::RackStatus status() const override;
    [[nodiscard]] ports::ScalingView scaling() const override;
    [[nodiscard]] std::optional<std::string> dialogue(const std::string& line) const override {
        return rack_.board.dialogue(line);
    }
    [[nodiscard]] std::optional<ports::LinePause> group_pause(
        const std::string& group, std::uint32_t segments, const std::string& to) const override {
        return rack_.board.group_pause(group, segments, to);
    }

    /// Since when what is wrong has lasted: from one run of the service to the next.
    [[nodiscard]] std::vector<ports::ConditionCarried> carried() const {
        return conditions_.carried();
    }
    void adopt(const std::vector<ports::ConditionCarried>& left) {
        conditions_.adopt(left, rack_.clock.wall());
    }

private:
    [[nodiscard]] std::vector<ports::Condition> conditions(
        std::vector<ports::GroupLoad> groups) const;

    const RackShown rack_;
    mutable ConditionBoard conditions_;
};

}  // namespace smsrack::dispatch
