/// A self-SMS by order: who sends it, who gets it, and at which level it goes.
///
/// Unlike those of dispatch/self_sms it needs no configuration, and its sender is never its recipient. One that does not come in is
/// marked so with the next order, or by the next run of the service.
/// Threads: any; no state of its own.
/// Errors:  as ports::SelfSmsOrders.
#pragma once

#include "src/dispatch/self_sms/self_sms.hpp"
#include "src/ports/rack_view.hpp"
#include "src/ports/self_sms_orders.hpp"

#include <string>
#include <vector>

namespace smsrack::dispatch {

struct SelfSmsRoute {
    std::string group = {};   ///< that sends
    std::string to = {};      ///< line that gets it
    std::string number = {};  ///< of its SIM
};

/// A line that may send, and another one whose SIM has a known number and hears. One of another group is taken first, since it is not the
/// sender for sure. `held`: groups that a person holds.
/// conflict: there are none, with the nearest reason.
[[nodiscard]] Result<SelfSmsRoute> self_sms_route(const std::vector<ports::LineView>& lines,
                                                  const std::vector<std::string>& held);

class SelfSmsOrder final : public ports::SelfSmsOrders {
public:
    explicit SelfSmsOrder(SelfSmsWorld world) : world_(world) {}

    void order_self_sms(std::move_only_function<void(Result<ports::SelfSmsOrdered>)> done) override;

private:
    [[nodiscard]] Result<SelfSmsRoute> route() const;
    [[nodiscard]] Result<Level> level() const;

    SelfSmsWorld world_;
};

}  // namespace smsrack::dispatch
