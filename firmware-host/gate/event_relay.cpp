#include "firmware-host/gate/event_relay.hpp"

#include "firmware-host/gate/slow_client.hpp"
#include "firmware-host/gate/sse_lines.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::chrono::seconds heartbeat{15};
constexpr std::string_view comment = ":\n\n";

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

/// What came before is void once, not again when this stream continues.
std::string cleared_once(std::string target) {
    constexpr std::string_view clear = "clear=true";
    if (const std::size_t at = target.find(clear); at != std::string::npos) {
        target.replace(at, clear.size(), "clear=false");
    }
    return target;
}

}  // namespace

void EventRelay::start(const ServiceLink& link, ServiceRequest request, bool is_named,
                       std::unique_ptr<Answer> answer) {
    const auto self =
        std::make_shared<EventRelay>(link, std::move(request), is_named, std::move(answer));
    self->answer_->responder().on_closed([self] {
        self->call_.reset();
        self->again_.reset();
    });
    self->ask();
}

EventRelay::EventRelay(const ServiceLink& link, ServiceRequest request, bool is_named,
                       std::unique_ptr<Answer> answer)
    : link_(link),
      request_(std::move(request)),
      is_named_(is_named),
      answer_(std::move(answer)),
      gone_since_(link.clock.steady()) {}

void EventRelay::ask() {
    again_.reset();
    streams_ = false;
    begun_event_.clear();
    refusal_ = {};
    if (last_ && !is_named_) {  // by the same header one with a name acknowledges
        request_.set("last-event-id", std::to_string(*last_));
    }
    call_ =
        link_.upstream.begin(request_.with({}), Upstream::Over::any, events_to(weak_from_this()));
}

void EventRelay::take_head(const wire::ReplyHead& head) {
    refusal_ = client_response(head.status, head.headers);
    streams_ = head.status == 200;
    if (!streams_) {
        return;
    }
    const auto newest = whole_number(head.header("smsrack-newest"));
    if (!last_ || (newest && *newest < *last_)) {
        // At the begin, or in another database: all that it says is new.
        last_ = whole_number(head.header("smsrack-place"));
    }
    if (!std::exchange(begun_, true)) {
        request_.target = cleared_once(request_.target);
        wire::HttpResponse response = std::exchange(refusal_, {});
        response.body = comment;
        answer_->begin(std::move(response), heartbeat, std::string(comment));
    }
}

void EventRelay::take_body(std::string_view piece) {
    if (!streams_) {
        refusal_.body += piece.substr(0, event_max - std::min(event_max, refusal_.body.size()));
        return;
    }
    begun_event_ += piece;
    std::string_view rest = begun_event_;
    for (std::size_t end = rest.find(sse_event_end); end != std::string_view::npos;
         end = rest.find(sse_event_end)) {
        take_event(rest.substr(0, end + sse_event_end.size()));
        rest.remove_prefix(end + sse_event_end.size());
    }
    begun_event_.erase(0, begun_event_.size() - rest.size());
    if (begun_event_.size() > event_max) {
        call_.reset();
        answer_->cut();
        return;
    }
    pause_if_full({shared_from_this(), &call_}, answer_->responder());
}

void EventRelay::take_event(std::string_view event) {
    if (event.starts_with(':')) {
        return;  // the gate keeps its client's connection alive by itself
    }
    if (const auto id = sse_line(event, "id: ")) {
        const auto number = whole_number(*id);
        if (number && last_ && *number <= *last_) {
            return;  // the client has it
        }
        last_ = number;
    }
    over_ = over_ || sse_line(event, "event: ") == "client.ended";
    answer_->write(event);
}

/// The answer of the service has ended, whole or not: refused, or the service goes away, or has gone.
void EventRelay::ended() {
    const SteadyTime now = link_.clock.steady();
    call_.reset();
    if (streams_) {
        gone_since_ = now;
    }
    const bool refused = !streams_ && refusal_.status != 503 && !refusal_.body.empty();
    const bool patient = now < gone_since_ + (begun_ ? stream_wait : service_wait);
    if (!over_ && !refused && patient && (begun_ || refusal_.body.empty())) {
        again_ = soon(link_, weak_from_this(), &EventRelay::ask);
        return;
    }
    if (begun_) {
        answer_->end();
    } else if (!refusal_.body.empty()) {
        answer_->send(std::move(refusal_));
    } else {
        answer_->fail(service_away(false));
    }
}

}  // namespace smsrack::gate
