#include "firmware-host/gate/line_upload.hpp"

#include "firmware-host/gate/slow_client.hpp"
#include "src/wire/http1.hpp"
#include "src/wire/problem.hpp"
#include "src/wire/shared_body.hpp"

#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::size_t answer_line_max = 64UL * 1024;

}  // namespace

std::unique_ptr<wire::BodyReader> LineUpload::start(const ServiceLink& link,
                                                    const ServiceRequest& request,
                                                    std::function<std::string()> fresh_ref,
                                                    std::unique_ptr<Answer> answer) {
    const auto self =
        std::make_shared<LineUpload>(link, request, std::move(fresh_ref), std::move(answer));
    self->answer_->responder().on_closed([self] { self->aborted(); });  // holds it until then
    self->ask();
    return std::make_unique<wire::SharedBody<LineUpload>>(self);
}

LineUpload::LineUpload(const ServiceLink& link, const ServiceRequest& request,
                       std::function<std::string()> fresh_ref, std::unique_ptr<Answer> answer)
    : link_(link),
      head_(request.with_chunks()),
      answer_(std::move(answer)),
      lines_(std::move(fresh_ref)) {}

/// From the begin, or behind the last line that was answered.
void LineUpload::ask() {
    again_.reset();
    accepts_ = false;
    begun_answer_.clear();
    refusal_ = {};
    call_ = link_.upstream.begin(head_, Upstream::Over::own, events_to(weak_from_this()));
    send(lines_.unanswered());
}

void LineUpload::send(std::string_view lines) {
    if (!call_) {
        return;
    }
    std::string octets;
    wire::append_chunk(octets, lines);
    if (body_ended_) {
        octets += wire::end_of_chunks;
    }
    if (!octets.empty()) {
        call_->write(std::move(octets));
    }
}

/// What is held stops the reading of the body, not the size of a body.
void LineUpload::hold() {
    if (over_) {
        return;
    }
    answer_->responder().holds(lines_.bytes() + (call_ ? call_->backlog() : 0));
    answer_->responder().pause_body(lines_.bytes() > held_max);
}

void LineUpload::data(std::string_view piece) {
    if (over_) {
        return;  // refused: what still comes is dropped
    }
    send(lines_.take(piece));
    if (given_up_) {
        refuse_unanswered(service_away(false));
    }
    hold();
}

void LineUpload::end() {
    if (over_ || body_ended_) {
        return;
    }
    const std::string last = lines_.take_end();
    body_ended_ = true;
    send(last);
    if (given_up_) {
        refuse_unanswered(service_away(false));
        end_answer();
    }
}

void LineUpload::stopped() {
    lines_.forget_half();
    end();
}

void LineUpload::aborted() {
    over_ = true;
    call_.reset();
    again_.reset();
}

void LineUpload::take_head(const wire::ReplyHead& head) {
    accepts_ = head.status == 200;
    refusal_ = client_response(head.status, head.headers);
    if (accepts_ && !std::exchange(begun_, true)) {
        answer_->begin(std::exchange(refusal_, {}), std::chrono::seconds(0), {});
    }
}

void LineUpload::take_body(std::string_view piece) {
    std::string& begun = accepts_ ? begun_answer_ : refusal_.body;
    begun += piece;
    if (!accepts_ || begun.find('\n') == std::string::npos) {
        if (begun.size() > answer_line_max) {
            again();  // not an answer of this service
        }
        return;
    }
    gone_since_.reset();
    std::string out;
    std::string_view rest = begun;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        if (const auto answer = lines_.answered(rest.substr(0, end))) {
            out += *answer + '\n';
        }
        rest.remove_prefix(end + 1);
    }
    begun.erase(0, begun.size() - rest.size());
    answer_->write(out);
    hold();
    pause_if_full({shared_from_this(), &call_}, answer_->responder());
}

/// All is answered; or the service stops, and has answered what it had read; or it refuses.
void LineUpload::take_end() {
    if (accepts_ && body_ended_ && lines_.empty()) {
        return end_answer();
    }
    if (accepts_ || ((begun_ || maybe_read_) && refusal_.status == 503)) {
        return again();
    }
    if (begun_) {  // the token was revoked meanwhile
        over_ = true;
        call_.reset();
        return answer_->cut();
    }
    over_ = true;
    call_.reset();
    answer_->responder().pause_body(false);
    answer_->send(std::move(refusal_));
}

void LineUpload::lost() {
    again();
}

void LineUpload::again() {
    const bool arrived = call_->has_arrived();
    maybe_read_ = maybe_read_ || (arrived && !lines_.empty());
    call_.reset();
    const SteadyTime now = link_.clock.steady();
    gone_since_ = gone_since_.value_or(now);
    if ((arrived && !lines_.may_repeat()) || now + try_again >= *gone_since_ + service_wait) {
        return give_up();
    }
    again_ = soon(link_, weak_from_this(), &LineUpload::ask);
}

void LineUpload::give_up() {
    if (!begun_) {
        over_ = true;
        answer_->responder().pause_body(false);
        return answer_->fail(service_away(maybe_read_));
    }
    given_up_ = true;
    refuse_unanswered(service_away(maybe_read_));
    hold();
    if (body_ended_) {
        end_answer();
    }
}

void LineUpload::refuse_unanswered(const Error& why) {
    std::string out;
    while (!lines_.empty()) {
        const std::uint64_t number = lines_.give_up();
        wire::JsonWriter json(out);
        json.object([&] {
            json.key("error");
            wire::append_problem(json, why, number);
        });
        out += '\n';
    }
    answer_->write(out);
}

void LineUpload::end_answer() {
    over_ = true;
    call_.reset();
    answer_->end();
}

}  // namespace smsrack::gate
