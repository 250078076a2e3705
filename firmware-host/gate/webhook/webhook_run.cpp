#include "firmware-host/gate/webhook/webhook_run.hpp"

#include "src/webhook/config_hash.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace smsrack::gate {
namespace {

std::string target(const config::WebhookSettings& webhook, std::string_view what) {
    return fmt::format("/v1/webhooks/{}/{}", webhook.name, what);
}

/// "superseded" and "webhook_config" are the same status.
bool has_code(const ServiceCall::Reply& reply, std::string_view code) {
    return reply.status == 409 && reply.body.contains(fmt::format("\"{}\"", code));
}

}  // namespace

WebhookRun::WebhookRun(const Parts& parts, const config::WebhookSettings& webhook,
                       WebhookShare share, Result<posting::ReceiverKeys> keys,
                       std::vector<DeliveryResult> unreported)
    : parts_(parts),
      webhook_(webhook),
      share_(share),
      config_(smsrack::webhook::config_hash(webhook)),
      unusable_(keys ? "" : keys.error().context),
      reporter_({parts.upstream, parts.receiver.post.loop, parts.log, parts.gate, webhook.name},
                [this](const std::vector<DeliveryResult>& results) { stored(results); }) {
    if (keys) {
        receiver_.emplace(parts_.receiver, webhook_, *std::move(keys));
    }
    for (DeliveryResult& result : unreported) {
        held_.emplace(result.number, Held{.attempt = result.attempt});
        reporter_.add(std::move(result));
    }
    take();
    report();
}

std::vector<DeliveryResult> WebhookRun::unreported_for(const config::WebhookSettings& next) {
    std::vector<DeliveryResult> all = reporter_.give_up();
    if (next.url != webhook_.url) {
        std::erase_if(
            all, [](const DeliveryResult& result) { return result.outcome.status / 100 != 2; });
    }
    return all;
}

void WebhookRun::drain(std::function<void()> then) {
    draining_ = true;
    drained_ = std::move(then);
    takes_.clear();
    take_again_.reset();
    keep_waiting(0);
    report();
}

void WebhookRun::set_share(WebhookShare share) {
    share_ = share;
    send_next();
}

// -- taking

std::size_t WebhookRun::room() const {
    return receiver_ ? share_.held_max - std::min(share_.held_max, held_.size()) : 0;
}

void WebhookRun::take() {
    take_again_.reset();
    let_go_ = false;
    room_asked_ = room();
    std::vector<std::string> holding;
    for (const auto& [number, held] : held_) {
        // It may be decided before this arrives: named, it would count as in flight until the next take.
        if (!reporter_.is_on_its_way(number)) {
            holding.push_back(number);
        }
    }
    const std::uint64_t call = ++newest_take_;
    takes_[call] =
        ServiceCall::post(parts_.upstream, target(webhook_, "take"),
                          take_json({.gate = parts_.gate,
                                     .config = config_,
                                     .room = room_asked_,
                                     .holding = std::move(holding),
                                     .unusable = unusable_}),
                          [this, call](const ServiceCall::Reply& reply) { taken(call, reply); });
}

void WebhookRun::take_later(std::chrono::milliseconds delay) {
    take_again_ = parts_.receiver.post.loop.after(delay, [this] { take(); });
}

void WebhookRun::taken(std::uint64_t call, const ServiceCall::Reply& reply) {
    const auto ended = takes_.extract(call);  // it is running: dropped at the end
    auto answer = reply.status == 200 ? take_answer_of(reply.body)
                                      : Result<TakeAnswer>(fail(Errc::protocol, ""));
    const bool is_newest = call == newest_take_;
    if (answer) {
        again_ = again_min;
        said_not_taken_ = false;
        // The next call lists what comes with this one, before any of it is sent.
        accept(*std::move(answer));
        if (is_newest) {
            take();
        }
        return send_next();
    }
    if (!is_newest) {
        return;
    }
    if (is_away(reply.status)) {
        take_later(again_);
        again_ = std::min(2 * again_, again_max);
        return;
    }
    refused(reply);
}

void WebhookRun::refused(const ServiceCall::Reply& reply) {
    take_later(has_code(reply, "superseded") ? again_max : refused_max);
    if (has_code(reply, "webhook_config")) {
        parts_.config_differs();
    } else if (!has_code(reply, "superseded") && !std::exchange(said_not_taken_, true)) {
        parts_.log.warn("webhook_not_taken",
                        {{"webhook", webhook_.name},
                         {"status", reply.status},
                         {"advice", "smsrackd may not have read this webhook yet: reload it"}});
    }
}

void WebhookRun::accept(TakeAnswer answer) {
    for (TakenDelivery& one : answer.deliveries) {
        const bool is_new =
            held_.emplace(one.number, Held{.event = std::move(one.event), .attempt = one.attempt})
                .second;
        if (is_new) {
            waiting_.push_back(one.number);
        }
    }
    for (posting::WebhookEvent& test : answer.tests) {
        send_test(std::move(test));
    }
    parallel_ = answer.parallel;
    if (answer.pause) {
        accept_pause(*answer.pause);
    }
    if (answer.is_off || !receiver_) {
        keep_waiting(0);
    } else if (!answer.is_open) {
        keep_waiting(parallel_ - std::min(parallel_, in_flight_));  // it decides what is tried next
    }
}

/// The service may not know yet of a pause that the receiver has asked for.
void WebhookRun::accept_pause(std::chrono::milliseconds pause) {
    const SteadyTime until = parts_.receiver.post.clock.steady() + pause;
    pause_until_ = reporter_.knows_all() ? until : std::max(until, pause_until_);
}

/// The others are let go of: the service gives them again when it wants them sent.
void WebhookRun::keep_waiting(std::size_t at_most) {
    while (waiting_.size() > at_most) {
        held_.erase(waiting_.back());
        waiting_.pop_back();
        let_go_ = true;
    }
}

// -- sending

void WebhookRun::send_next() {
    const auto pause = pause_until_ - parts_.receiver.post.clock.steady();
    pause_end_.reset();
    if (pause > pause.zero()) {
        if (!waiting_.empty()) {
            pause_end_ = parts_.receiver.post.loop.after(
                std::chrono::ceil<std::chrono::milliseconds>(pause), [this] { send_next(); });
        }
        return;
    }
    while (in_flight_ < std::min(parallel_, share_.parallel) && !waiting_.empty()) {
        const std::string number = std::move(waiting_.front());
        waiting_.pop_front();
        send(number);
    }
}

void WebhookRun::send(const std::string& number) {
    Held& held = held_.at(number);
    held.begun = parts_.receiver.post.clock.wall();
    ++in_flight_;
    receiver_->send(std::exchange(held.event, {}),
                    [this, number](PostOutcome outcome) { sent(number, std::move(outcome)); });
}

void WebhookRun::sent(const std::string& number, PostOutcome outcome) {
    --in_flight_;
    note(outcome);
    const bool asks_to_wait =
        outcome.retry_after && (outcome.status == 429 || outcome.status == 503);
    if (asks_to_wait) {
        pause_until_ =
            std::max(pause_until_, parts_.receiver.post.clock.steady() + *outcome.retry_after);
        keep_waiting(0);
    } else if (outcome.status == 410) {
        keep_waiting(0);
    }
    const Held& held = held_.at(number);
    reporter_.add(DeliveryResult{.number = number,
                                 .attempt = held.attempt,
                                 .at = held.begun,
                                 .outcome = std::move(outcome)});
    send_next();
    report();
}

void WebhookRun::send_test(posting::WebhookEvent test) {
    if (!receiver_) {
        reporter_.add(TestResult{
            .id = test.id,
            .outcome = {.error = unusable_, .advice = "correct it, then reload smsrack-gate"}});
        return report();
    }
    ++tests_;
    const std::string id = test.id;
    receiver_->send(std::move(test), [this, id](PostOutcome outcome) {
        --tests_;
        reporter_.add(TestResult{.id = id, .outcome = std::move(outcome)});
        report();
    });
}

/// One line when it stops answering, and one when it does so again.
void WebhookRun::note(const PostOutcome& outcome) {
    parts_.metrics.webhook_request(webhook_.name, outcome.status);
    const bool reached = outcome.status >= 200 && outcome.status < 300;
    if (std::exchange(was_reached_, reached) == reached) {
        return;
    }
    if (reached) {
        parts_.log.info("webhook_delivers", {{"webhook", webhook_.name}});
        return;
    }
    parts_.log.warn(
        "webhook_fails",
        {{"webhook", webhook_.name},
         {"detail", outcome.status == 0 ? outcome.error : fmt::format("HTTP {}", outcome.status)},
         {"advice", outcome.advice}});
}

// -- reporting

void WebhookRun::report() {
    reporter_.report();
    if (drained_ && in_flight_ == 0 && tests_ == 0 && reporter_.is_done()) {
        const auto then = std::exchange(drained_, nullptr);
        then();
    }
}

void WebhookRun::stored(const std::vector<DeliveryResult>& results) {
    for (const DeliveryResult& result : results) {
        held_.erase(result.number);
    }
    // A take that was asked for less waits, although there is room for more now.
    const bool has_more_room = room() >= room_asked_ + share_.held_max / 2 && takes_.size() == 1;
    // And one that names what was let go of keeps it from being sent; the service hears first why.
    const bool names_too_many = let_go_ && !reporter_.has_more();
    if (!draining_ && !take_again_ && (has_more_room || names_too_many)) {
        take();
    }
    report();
}

}  // namespace smsrack::gate
