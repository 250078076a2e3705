#include "firmware-host/gate/upload.hpp"

#include "firmware-host/gate/slow_client.hpp"
#include "src/wire/http1.hpp"
#include "src/wire/shared_body.hpp"

#include <utility>

namespace smsrack::gate {

std::unique_ptr<wire::BodyReader> Upload::start(const ServiceLink& link,
                                                const ServiceRequest& request,
                                                std::unique_ptr<Answer> answer) {
    const auto self = std::make_shared<Upload>(link, request, std::move(answer));
    self->answer_->responder().on_closed([self] { self->aborted(); });  // holds it until then
    self->ask();
    return std::make_unique<wire::SharedBody<Upload>>(self);
}

Upload::Upload(const ServiceLink& link, const ServiceRequest& request,
               std::unique_ptr<Answer> answer)
    : link_(link), head_(request.with_chunks()), answer_(std::move(answer)) {}

void Upload::ask() {
    again_.reset();
    Upstream::Events events = events_to(weak_from_this());
    events.taken = [weak = weak_from_this()] {
        if (const auto upload = weak.lock()) {
            upload->answer_->responder().pause_body(false);
        }
    };
    call_ = link_.upstream.begin(head_ + kept_, Upstream::Over::own, std::move(events));
}

void Upload::data(std::string_view piece) {
    std::string chunk;
    wire::append_chunk(chunk, piece);
    send(std::move(chunk));
}

void Upload::end() {
    send(std::string(wire::end_of_chunks));
}

void Upload::send(std::string octets) {
    if (over_) {
        return;  // refused: what still comes is dropped
    }
    // Until the service takes the call all is kept, and soon no more is read.
    const bool waits = !call_ || !call_->has_arrived();
    if (!waits) {
        lost_since_.reset();
    }
    keeps_ = keeps_ && (waits || kept_.size() + octets.size() <= held_max);
    if (keeps_) {
        kept_ += octets;
    } else {
        kept_ = {};
    }
    if (call_) {
        call_->write(std::move(octets));
    }
    answer_->responder().holds(kept_.size() + (call_ ? call_->backlog() : 0));
    answer_->responder().pause_body(!call_ || call_->backlog() > held_max);
}

/// Half a body is none: its client sends it again.
void Upload::stopped() {
    if (over_) {
        return;
    }
    aborted();
    if (begun_) {
        answer_->cut();
    } else {
        answer_->fail({.code = Errc::closed,
                       .context = "the gate stops; send the events again",
                       .retry_after = std::chrono::seconds(1)});
    }
}

void Upload::aborted() {
    over_ = true;
    call_.reset();
    again_.reset();
}

void Upload::take_head(const wire::ReplyHead& head) {
    begun_ = true;
    answer_->begin(client_response(head.status, head.headers), std::chrono::seconds(0), {});
}

void Upload::take_body(std::string_view piece) {
    answer_->write(piece);
    pause_if_full({shared_from_this(), &call_}, answer_->responder());
}

void Upload::take_end() {
    over_ = true;
    call_.reset();
    answer_->responder().pause_body(false);
    answer_->end();
}

void Upload::lost() {
    const SteadyTime now = link_.clock.steady();
    lost_since_ = lost_since_.value_or(now);
    call_.reset();
    if (!begun_ && keeps_ && now + try_again < *lost_since_ + service_wait) {
        again_ = soon(link_, weak_from_this(), &Upload::ask);
        return;
    }
    over_ = true;
    answer_->responder().pause_body(false);
    if (begun_) {
        answer_->cut();
    } else {
        answer_->fail(service_away(!keeps_));
    }
}

}  // namespace smsrack::gate
