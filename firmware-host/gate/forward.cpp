#include "firmware-host/gate/forward.hpp"

#include "firmware-host/gate/service_request.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace smsrack::gate {

void Forward::start(const ServiceLink& link, Order order, std::unique_ptr<Answer> answer) {
    const auto self = std::make_shared<Forward>(link, std::move(order), std::move(answer));
    self->answer_->responder().on_closed([self] { self->call_.reset(); });  // holds it until then
    self->ask();
}

Forward::Forward(const ServiceLink& link, Order order, std::unique_ptr<Answer> answer)
    : link_(link), order_(std::move(order)), answer_(std::move(answer)) {}

void Forward::ask() {
    again_.reset();
    asked_ = link_.clock.steady();
    response_ = {};
    held_ = 0;
    call_ = link_.upstream.begin(order_.request,
                                 order_.may_repeat ? Upstream::Over::any : Upstream::Over::fresh,
                                 events_to(weak_from_this()));
}

void Forward::take_head(const wire::ReplyHead& head) {
    response_ = client_response(head.status, head.headers);
    if (order_.is_safe && !take_room_for(head)) {
        constexpr std::chrono::seconds retry_later{5};
        call_.reset();
        answer_->fail({.code = Errc::overloaded,
                       .context = "too many answers to this address wait to be taken",
                       .retry_after = retry_later});
    }
}

/// False: there is not as much. Answers to others come meanwhile, so the whole counts at once.
bool Forward::take_room_for(const wire::ReplyHead& head) {
    const std::string_view text = head.header("content-length");
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error != std::errc() || end != text.data() + text.size() || length > answer_max) {
        return true;  // in pieces: what has come is counted
    }
    if (length > answer_->responder().room()) {
        return false;
    }
    held_ = length;
    answer_->responder().holds(held_);
    return true;
}

void Forward::take_body(std::string_view piece) {
    if (response_.body.size() + piece.size() > answer_max) {
        call_.reset();
        answer_->fail({.code = Errc::internal, .context = "the service's answer is too long"});
        return;
    }
    response_.body += piece;
    held_ = std::max(held_, response_.body.size());
    answer_->responder().holds(held_);
}

void Forward::take_end() {
    link_.metrics.service_took(link_.clock.steady() - asked_);
    call_.reset();
    if (order_.complete && response_.status == 200) {
        order_.complete(response_);
    }
    answer_->send(std::move(response_));
}

void Forward::lost() {
    const bool arrived = call_->has_arrived();
    maybe_done_ = maybe_done_ || (arrived && !order_.is_safe);
    call_.reset();
    const SteadyTime now = link_.clock.steady();
    give_up_ = give_up_.value_or(now + service_wait);
    if ((arrived && !order_.may_repeat) || now + try_again >= *give_up_) {
        answer_->fail(service_away(maybe_done_));
        return;
    }
    again_ = soon(link_, weak_from_this(), &Forward::ask);
}

}  // namespace smsrack::gate
