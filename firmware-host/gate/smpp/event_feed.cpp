#include "firmware-host/gate/smpp/event_feed.hpp"

#include "firmware-host/gate/service_request.hpp"
#include "firmware-host/gate/sse_lines.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

/// Those that a receipt can come from; others would only be read and passed over.
constexpr std::string_view types =
    "message.sent,message.delivered,message.undelivered,message.failed,message.expired,"
    "message.cancelled";

std::string target_of(const std::string& client, std::string_view inbox) {
    return fmt::format("/v1/events?client={}&inbox={}&types={}{}", client, inbox, types,
                       inbox == "none" ? "" : ",message.received");
}

}  // namespace

EventFeed::EventFeed(const ServiceLink& link, std::string client, std::string token,
                     std::string_view inbox, Event event)
    : link_(link),
      client_(std::move(client)),
      token_(std::move(token)),
      target_(target_of(client_, inbox)),
      event_(std::move(event)) {}

void EventFeed::ask() {
    again_.reset();
    streams_ = false;
    asked_at_ = link_.clock.steady();
    begun_event_.clear();
    ServiceRequest request{.method = "GET", .target = target_};
    request.set("Smsrack-Token", token_);
    call_ =
        link_.upstream.begin(request.with({}), Upstream::Over::any, events_to(weak_from_this()));
    call_->pause(paused_);
    send_acknowledgement();
}

void EventFeed::pause(bool paused) {
    paused_ = paused;
    if (call_ != nullptr) {
        call_->pause(paused);
    }
}

void EventFeed::take_body(std::string_view piece) {
    if (!streams_) {
        return;
    }
    begun_event_ += piece;
    const auto self = shared_from_this();  // the reader may drop it
    std::string_view rest = begun_event_;
    for (std::size_t end = rest.find(sse_event_end); end != std::string_view::npos;
         end = rest.find(sse_event_end)) {
        take_event(rest.substr(0, end));
        rest.remove_prefix(end + sse_event_end.size());
    }
    begun_event_.erase(0, begun_event_.size() - rest.size());
    if (begun_event_.size() > event_max) {
        lost();  // no event of this service
    }
}

void EventFeed::take_event(std::string_view event) {
    const std::string_view id = sse_line(event, "id: ").value_or("");
    std::int64_t number = 0;
    std::from_chars(id.data(), id.data() + id.size(), number);
    if (number <= last_) {
        return;  // a comment, or the reader has it
    }
    const auto json = wire::parse_json(sse_line(event, "data: ").value_or(""));
    last_ = number;
    event_(number, json && json->is_object() ? *json : wire::Json::object());
}

/// A stream that ends at once was refused, or another one with the same name has begun, or there is no place: all may last.
void EventFeed::lost() {
    constexpr std::chrono::seconds short_life{1};
    constexpr std::chrono::milliseconds pause_max{5'000};
    call_.reset();
    if (link_.clock.steady() >= asked_at_ + short_life) {
        pause_ = try_again;
    }
    again_ = link_.loop.after(pause_, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) {
            self->ask();
        }
    });
    pause_ = std::min(2 * pause_, pause_max);
}

void EventFeed::take_head(const wire::ReplyHead& head) {
    streams_ = head.status == 200;
    const std::string_view text = head.header("smsrack-newest");
    std::int64_t newest = last_;
    std::from_chars(text.data(), text.data() + text.size(), newest);
    if (streams_ && newest < last_) {
        // Another database: all that it says is new.
        last_ = wanted_ = acknowledged_ = 0;
        event_(other_database, {});
    }
}

void EventFeed::listen(std::string token, std::string_view inbox) {
    token_ = std::move(token);
    target_ = target_of(client_, inbox);
    call_.reset();
    ask();
}

void EventFeed::acknowledge(std::int64_t id) {
    wanted_ = id;
    send_acknowledgement();
}

void EventFeed::send_acknowledgement() {
    if (acknowledging_ != nullptr || is_acknowledged()) {
        return;
    }
    ServiceRequest request{.method = "POST", .target = fmt::format("/v1/clients/{}/ack", client_)};
    request.set("Content-Type", "application/json");
    request.set("Smsrack-Token", token_);
    acknowledging_ = ServiceCall::begin(
        link_.upstream, request.with(fmt::format(R"({{"id":"{}"}})", wanted_)),
        [weak = weak_from_this(), id = wanted_](const ServiceCall::Reply& reply) {
            const auto self = weak.lock();
            if (self == nullptr) {
                return;
            }
            self->acknowledging_.reset();
            if (reply.status == 200) {
                self->acknowledged_ = id;
                self->send_acknowledgement();
            }  // else it is said again with the next one, or when the stream continues
        });
}

}  // namespace smsrack::gate
