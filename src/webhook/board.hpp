/// What is wrong with the webhooks, for the list of conditions.
///
/// Threads: any; a short lock.
#pragma once

#include "src/ports/condition.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace smsrack::webhook {

class WebhookBoard {
public:
    void show(std::vector<ports::Condition> conditions) {
        const std::lock_guard lock(mutex_);
        conditions_ = std::move(conditions);
    }
    [[nodiscard]] std::vector<ports::Condition> conditions() const {
        const std::lock_guard lock(mutex_);
        return conditions_;
    }

private:
    mutable std::mutex mutex_;  // guards conditions_
    std::vector<ports::Condition> conditions_;
};

}  // namespace smsrack::webhook
