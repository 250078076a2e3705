#include "firmware-host/gate/smpp/deliveries.hpp"

#include "firmware-host/gate/json_text.hpp"
#include "firmware-host/gate/smpp/event_pdus.hpp"
#include "firmware-host/gate/smpp/smpp_connection.hpp"
#include "src/smpp/received.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::gate {
namespace {

using smpp::Status;

/// A node of a set of numbers.
constexpr std::size_t taken_octets = 48;

/// They say: not now.
bool is_put_off(std::optional<Status> answer) {
    return !answer || *answer == Status::receiver_temporary || *answer == Status::queue_full ||
           *answer == Status::throttled;
}

}  // namespace

void Deliveries::listen(std::string token, std::string_view inbox) {
    if (feed_ == nullptr) {
        feed_ = std::make_shared<EventFeed>(
            parts_.link, parts_.account.name, std::move(token), inbox,
            [this](std::int64_t id, const wire::Json& event) { take_event(id, event); });
        feed_->start();
    }
}

void Deliveries::listen_otherwise(std::string token, std::string_view inbox) {
    if (feed_ != nullptr) {
        feed_->listen(std::move(token), inbox);
    }
}

void Deliveries::flush() {
    deliver();
    acknowledge();
}

void Deliveries::rest() {
    if (feed_ != nullptr && feed_->is_acknowledged() &&
        std::ranges::none_of(deliveries_, &Delivery::in_flight)) {
        forget_deliveries();
        seen_ = told_;
        feed_.reset();
    }
}

void Deliveries::take_event(std::int64_t id, const wire::Json& event) {
    parts_.changed();
    if (id == EventFeed::other_database) {
        return forget_all();
    }
    seen_ = id;
    if (taken_.contains(id)) {
        return;  // before the feed began again
    }
    auto pdus = pdus_of(event, parts_.account, part_reference_);
    if (pdus.size() > 1) {
        const std::size_t references = (pdus.size() + smpp::parts_max - 1) / smpp::parts_max;
        part_reference_ = static_cast<std::uint8_t>(part_reference_ + references);
    }
    if (!pdus.empty()) {
        deliveries_.push_back(std::make_shared<Delivery>(Delivery{.event = id,
                                                                  .message = text_at(event, "id"),
                                                                  .behind = parts_.submits.opened(),
                                                                  .pdus = std::move(pdus)}));
        share_.hold(deliveries_.back()->octets());
        pause_feed();
    }
}

void Deliveries::pause_feed() {
    if (feed_ != nullptr) {
        feed_->pause(deliveries_.size() >= deliveries_max || taken_.size() >= taken_max ||
                     !share_.has_room());
    }
}

void Deliveries::deliver() {
    const SteadyTime now = parts_.link.clock.steady();
    for (const auto& delivery : deliveries_) {
        if (delivery->in_flight || delivery->not_before > now ||
            delivery->behind > parts_.submits.settled()) {
            continue;
        }
        const auto session = parts_.free_session();
        if (session == nullptr) {
            return;
        }
        delivery->in_flight = true;
        session->deliver(delivery);
    }
}

std::size_t Deliveries::taken_behind(const Delivery& delivery) const {
    return delivery.event == deliveries_.front()->event ? taken_.size() : 0;
}

void Deliveries::ended(const std::shared_ptr<Delivery>& delivery, std::optional<Status> answer,
                       bool was_lost) {
    delivery->in_flight = false;
    parts_.changed();
    if (std::ranges::find(deliveries_, delivery) == deliveries_.end()) {
        return;  // of another database
    }
    if (was_lost) {
        return;  // another session takes it, or the next one
    }
    if (is_put_off(answer) && !is_given_up(delivery->tries, taken_behind(*delivery))) {
        delivery->not_before = parts_.link.clock.steady() + pause_after(delivery->tries++);
        return;
    }
    if (answer == Status::ok) {
        ++done_;
        ++delivery->taken;
        delivery->tries = 0;
    } else {
        ++refused_;
        delivery->taken = delivery->pdus.size();
        parts_.log.warn(
            "smpp_delivery_refused",
            {{"account", parts_.account.name},
             {"message", delivery->message},
             {"status", answer ? smpp::status_name(*answer) : std::string_view("no answer")}});
    }
    if (delivery->is_done()) {
        if (taken_.insert(delivery->event).second) {
            share_.hold(taken_octets);
        }
        share_.drop(delivery->octets());
        std::erase(deliveries_, delivery);
    }
}

void Deliveries::forget_deliveries() {
    for (const auto& delivery : deliveries_) {
        share_.drop(delivery->octets());
    }
    deliveries_.clear();
}

/// What is in flight is ignored when it ends: its number means another event now, or none.
void Deliveries::forget_all() {
    forget_deliveries();
    forget_taken(taken_.end());
    seen_ = told_ = 0;
}

void Deliveries::forget_taken(std::set<std::int64_t>::iterator end) {
    share_.drop(static_cast<std::size_t>(std::distance(taken_.begin(), end)) * taken_octets);
    taken_.erase(taken_.begin(), end);
}

/// All before the first that was not taken. What was taken behind it is remembered, since it comes again when the
/// feed begins again.
void Deliveries::acknowledge() {
    const std::int64_t passed = deliveries_.empty() ? seen_ : deliveries_.front()->event - 1;
    pause_feed();
    if (feed_ == nullptr || passed == told_) {
        return;
    }
    told_ = passed;
    forget_taken(taken_.upper_bound(passed));
    feed_->acknowledge(passed);
}

SteadyTime Deliveries::deadline() const {
    const SteadyTime now = parts_.link.clock.steady();
    SteadyTime first = never;
    for (const auto& delivery : deliveries_) {
        if (!delivery->in_flight && delivery->not_before > now) {
            first = std::min(first, delivery->not_before);
        }
    }
    return first;
}

}  // namespace smsrack::gate
