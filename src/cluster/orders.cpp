#include "src/cluster/orders.hpp"

#include <algorithm>
#include <memory>

namespace smsrack::cluster {

void Orders::give(Order order) {
    const auto& seat = seat_.seat();
    if (seat && seat != order.ended) {
        give_under(*seat, std::move(order));
    } else {
        waiting_.push_back(std::move(order));
    }
}

void Orders::give_under(ports::Seat seat, Order order) {
    const auto kept = std::make_shared<Order>(std::move(order));
    kept->ask(seat, [this, seat, kept](Result<> done) {
        if (done) {
            return kept->done({});
        }
        seat_.note(seat, done.error());
        if (done.error().code != Errc::conflict || done.error().detail != ports::epoch_outdated) {
            return kept->done(std::move(done));
        }
        kept->ended = seat;
        give(std::move(*kept));
    });
}

SteadyTime Orders::step(SteadyTime now) {
    for (Order& order : std::exchange(waiting_, {})) {
        if (now < order.until) {
            give(std::move(order));
        } else {
            order.done(std::unexpected(engine_away()));
        }
    }
    const auto first = std::ranges::min_element(waiting_, {}, &Order::until);
    return first == waiting_.end() ? never : first->until;
}

void Orders::end() {
    for (Order& order : std::exchange(waiting_, {})) {
        order.done(std::unexpected(engine_away()));
    }
}

}  // namespace smsrack::cluster
