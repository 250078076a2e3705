#include "src/cluster/watchman.hpp"

#include "src/cluster/message_form.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {

void Watchman::begin() {
    of_ = *seat_.seat();
    std::vector<Order> orders;
    for (const BeatWatch::Silent& silent : seat_.watch().silent_for(world_.settings.lease)) {
        const auto silence = seat_.watch().silence(silent.seat.box);
        const bool firm = silence >= world_.settings.alone + world_.settings.uncertain;
        const auto taken = taken_.find(silent.seat.box);
        const bool is_taken = taken != taken_.end() && taken->second == silent.beats;
        if (silent.seat.box != of_.box && has_some(silent.seat.box) && (firm || !is_taken)) {
            orders.push_back(
                {.from = silent.seat, .beats = silent.beats, .firm = firm && is_taken});
        }
    }
    for (const ports::BoxRow& box : seat_.fleet().boxes) {
        if (box.life == ports::BoxLife::dead && box.firm > 0 && box.box != of_.box) {
            orders.push_back(
                {.from = {.box = box.box, .epoch = box.epoch}, .beats = box.beats, .firm = true});
        }
    }
    next(std::move(orders));
}

/// That it holds or has firm.
bool Watchman::has_some(BoxNumber box) const {
    const auto& boxes = seat_.fleet().boxes;
    const auto row = std::ranges::find(boxes, box, &ports::BoxRow::box);
    return row != boxes.end() && row->held + row->firm > 0;
}

void Watchman::next(std::vector<Order> orders) {
    if (orders.empty()) {
        return end();
    }
    const Order order = orders.back();
    orders.pop_back();
    if (order.firm) {
        take_firm(order, std::move(orders));
    } else {
        take_over(order, std::move(orders));
    }
}

void Watchman::take_over(const Order& order, std::vector<Order> rest) {
    world_.ask(world_.engine,
               ports::TakeOver{.seat = of_, .from = order.from, .beats = order.beats},
               [this, order, rest = std::move(rest)](const Result<std::size_t>& taken) mutable {
                   if (taken) {
                       taken_[order.from.box] = order.beats;
                   } else if (taken.error().code != Errc::conflict ||
                              taken.error().detail == ports::epoch_outdated) {
                       return give_up(of_, taken.error());
                   }
                   next(std::move(rest));
               });
}

void Watchman::take_firm(const Order& order, std::vector<Order> rest) {
    world_.ask(world_.engine,
               ports::TakeFirm{.seat = of_,
                               .from = order.from,
                               .beats = order.beats,
                               .resend = world_.settings.resend,
                               .limit = round_max},
               [this, order, rest = std::move(rest)](Result<std::vector<MessageId>> taken) mutable {
                   if (!taken) {
                       const bool is_other = taken.error().code == Errc::conflict &&
                                             taken.error().detail != ports::epoch_outdated;
                       return is_other ? next(std::move(rest)) : give_up(of_, taken.error());
                   }
                   tell(*std::move(taken), order, std::move(rest));
               });
}

/// The boxes that accepted them.
void Watchman::tell(std::vector<MessageId> failed, const Order& order, std::vector<Order> rest) {
    ports::SendMail command{.seat = of_};
    for (const MessageId id : failed) {
        if (!world_.settings.resend) {
            command.mail.push_back({.to = number_of_box(id),
                                    .form = form_of(EndLetter{.message = id,
                                                              .state = MessageState::failed,
                                                              .detail = "outcome_unknown",
                                                              .box = order.from.box})});
        }
    }
    if (failed.size() == round_max) {
        rest.push_back(order);
    }
    if (command.mail.empty()) {
        return next(std::move(rest));
    }
    world_.ask(world_.engine, std::move(command),
               [this, rest = std::move(rest)](const Result<>& sent) mutable {
                   if (!sent) {
                       return give_up(of_, sent.error());
                   }
                   next(std::move(rest));
               });
}

}  // namespace smsrack::cluster
