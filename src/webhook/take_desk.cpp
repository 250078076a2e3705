#include "src/webhook/take_desk.hpp"

#include <utility>

namespace smsrack::webhook {

void TakeDesk::open(Take take, ports::WebhookState state, SteadyTime now) {
    if (take_) {
        take_->done({.superseded = true});
    }
    take_ = std::move(take);
    saw_ = state;
    until_ = now + take_max;
}

bool TakeDesk::is_open() {
    if (take_ && take_->gone()) {
        take_.reset();
    }
    return take_.has_value();
}

bool TakeDesk::answer(TakeAnswer answer, SteadyTime now) {
    const bool empty = answer.deliveries.empty() && answer.tests.empty();
    if (!take_ || (empty && answer.state == saw_ && now < until_ && !draining_)) {
        return false;
    }
    std::exchange(take_, std::nullopt)->done(std::move(answer));
    return true;
}

}  // namespace smsrack::webhook
