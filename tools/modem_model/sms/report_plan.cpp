#include "tools/modem_model/sms/report_plan.hpp"

#include "tools/modem_model/faults/chance.hpp"

namespace smsrack::modem_sim {
namespace {

using std::chrono::milliseconds;

constexpr std::uint8_t validity_expired = 0x46;

struct Plan {
    SteadyTime due = {};
    std::uint8_t status = 0;
    std::chrono::minutes ahead = {};  // of the service centre's clock
};

void put(Core& core, SteadyTime accepted, const Submit& submit, int mr, const Plan& plan) {
    const TimeBase& time = core.settings.time_base;
    core.smsc.put(plan.due,
                  {.pdu = make_status_report({.mr = static_cast<std::uint8_t>(mr),
                                              .destination_field = submit.destination_field,
                                              .sent = time.wall_at(accepted) + plan.ahead,
                                              .done = time.wall_at(plan.due) + plan.ahead,
                                              .status = plan.status}),
                   .report = true,
                   .peer = submit.destination,
                   .mr = mr,
                   .status = plan.status});
}

}  // namespace

milliseconds plan_report(Core& core, SteadyTime at, const Submit& submit, int mr) {
    if (!core.settings.report_delay || core.faults.take(FaultKind::lose_report)) {
        return milliseconds::zero();
    }
    Plan plan{.due = at + *core.settings.report_delay};
    if (even(core.random) < core.settings.report_fail) {
        plan.status = validity_expired;
    }
    if (const auto other = core.faults.take(FaultKind::report_status)) {
        plan.status = static_cast<std::uint8_t>(other->code);
    }
    if (const auto zone = core.faults.take(FaultKind::report_zone)) {
        plan.ahead = zone->code * std::chrono::minutes(15);
    }
    if (const auto late = core.faults.take(FaultKind::late_report)) {
        plan.due += late->delay;
    }
    if (const auto temporary = core.faults.take(FaultKind::temporary_report)) {
        Plan first = plan;
        first.status = static_cast<std::uint8_t>(temporary->code);
        put(core, at, submit, mr, first);
        plan.due += temporary->delay;
    }
    milliseconds answer_waits = milliseconds::zero();
    if (const auto early = core.faults.take(FaultKind::early_report)) {
        plan.due = at;
        answer_waits = early->delay;
    }
    put(core, at, submit, mr, plan);
    return answer_waits;
}

}  // namespace smsrack::modem_sim
