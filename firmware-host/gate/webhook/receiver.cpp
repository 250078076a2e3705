#include "firmware-host/gate/webhook/receiver.hpp"

#include "firmware-host/gate/webhook/post_failure.hpp"
#include "src/config/http_url.hpp"
#include "src/posting/address_rule.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

std::chrono::milliseconds whole_ms(SteadyTime::duration time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

}  // namespace

Receiver::Receiver(const Parts& parts, const config::WebhookSettings& webhook,
                   posting::ReceiverKeys keys)
    : parts_(parts),
      webhook_(webhook),
      keys_(std::move(keys)),
      target_(config::http_url_of(webhook.proxy.empty() ? webhook.url : webhook.proxy).value()),
      client_(parts.post, webhook, [this](const config::IpAddress& address) {
          return posting::permits(webhook_, address);
      }) {}

void Receiver::send(posting::WebhookEvent event, PostClient::Done done) {
    const SteadyTime now = parts_.post.clock.steady();
    Waiting waiting{.event = std::move(event), .done = std::move(done), .begun = now};
    if (target_.address || (addresses_ && now < looked_up_at_ + address_kept)) {
        return post(std::move(waiting));
    }
    waiting_.push_back(std::move(waiting));
    const auto it = std::prev(waiting_.end());
    it->too_late = parts_.post.loop.after(webhook_.timeout, [this, it] {
        Waiting late = std::move(*it);
        waiting_.erase(it);
        late.done(came_to_nothing(
            lookup_in_words(target_.host, {.code = Errc::timeout, .context = ""}), late.begun));
    });
    look_up();
}

void Receiver::look_up() {
    if (std::exchange(looking_up_, true)) {
        return;
    }
    parts_.names.begin(target_.host, [this, weak = std::weak_ptr(lives_)](auto result) {
        if (!weak.expired()) {
            found(std::move(result));
        }
    });
}

void Receiver::found(Result<Addresses> result) {
    looking_up_ = false;
    addresses_.reset();
    if (!result) {
        return tell_all(lookup_in_words(target_.host, result.error()));
    }
    if (result->empty()) {
        return tell_all(lookup_in_words(target_.host, {.code = Errc::not_found, .context = ""}));
    }
    std::erase_if(*result, [this](const config::IpAddress& address) {
        return !posting::permits(webhook_, address);
    });
    if (result->empty()) {
        return tell_all(failure_in_words(
            {.code = CURLE_COULDNT_CONNECT, .host = target_.host, .refused_address = true}, ""));
    }
    addresses_ = *std::move(result);
    looked_up_at_ = parts_.post.clock.steady();
    for (Waiting& waiting : std::exchange(waiting_, {})) {
        post(std::move(waiting));
    }
}

void Receiver::tell_all(const PostOutcome& outcome) {
    const std::weak_ptr<int> lives = lives_;
    std::list<Waiting> all = std::exchange(waiting_, {});
    for (Waiting& waiting : all) {
        if (!lives.expired()) {
            waiting.done(came_to_nothing(outcome, waiting.begun));
        }
    }
}

PostOutcome Receiver::came_to_nothing(PostOutcome words, SteadyTime begun) const {
    words.took = whole_ms(parts_.post.clock.steady() - begun);
    return words;
}

void Receiver::post(Waiting waiting) {
    const auto waited = whole_ms(parts_.post.clock.steady() - waiting.begun);
    waiting.too_late.reset();
    client_.send({.request = posting::receiver_request(webhook_, keys_, waiting.event,
                                                       parts_.post.clock.wall()),
                  .addresses = addresses_.value_or(Addresses{}),
                  .timeout = std::max(std::chrono::milliseconds(1), webhook_.timeout - waited)},
                 [this, waited, done = std::move(waiting.done)](PostOutcome outcome) {
                     outcome.took += waited;
                     if (outcome.status == 0) {
                         addresses_.reset();  // it may have moved
                     }
                     done(std::move(outcome));
                 });
}

}  // namespace smsrack::gate
