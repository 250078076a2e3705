#include "src/cluster/orders.hpp"

#include <algorithm>
#include <memory>

namespace smsrack::cluster {

void Orders::give(Order order) {
    const auto& seat = seat_.seat();
    if (is_over_ || world_.clock.steady() >= order.until) {
        order.done(std::unexpected(engine_away()));
    } else if (seat && seat != order.ended) {
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
        const Error& error = done.error();
        const bool is_undone =
            error.code == Errc::closed ||
            (error.code == Errc::conflict && error.detail == ports::epoch_outdated);
        if (!is_undone) {
            return kept->done(std::move(done));
        }
        kept->ended = seat;
        give(std::move(*kept));
    });
}

SteadyTime Orders::step() {
    for (Order& order : std::exchange(waiting_, {})) {
        give(std::move(order));
    }
    const auto first = std::ranges::min_element(waiting_, {}, &Order::until);
    return first == waiting_.end() ? never : first->until;
}

void Orders::end() {
    is_over_ = true;
    for (Order& order : std::exchange(waiting_, {})) {
        order.done(std::unexpected(engine_away()));
    }
}

}  // namespace smsrack::cluster
