/// Takes the work of boxes that are silent.
///
/// Behind the lease it takes what a silent box held and has not made firm. Firm messages are decided by the
/// policy, when the box certainly begins nothing more and the time of the policy is over; those of a box that is
/// dead by an operator's word at once.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"

#include <map>
#include <vector>

namespace smsrack::cluster {

class Watchman final : public Task {
public:
    using Task::Task;

private:
    struct Order {
        ports::Seat from = {};
        std::int64_t beats = 0;
        bool firm = false;  ///< too
    };

    void begin() override;
    [[nodiscard]] bool has_some(BoxNumber box) const;
    void next(std::vector<Order> orders);
    void take_over(const Order& order, std::vector<Order> rest);
    void take_firm(const Order& order, std::vector<Order> rest);
    void tell(std::vector<MessageId> failed, const Order& order, std::vector<Order> rest);

    ports::Seat of_ = {};
    std::map<BoxNumber, std::int64_t> taken_ = {};  // beats of those whose held messages were taken
};

}  // namespace smsrack::cluster
