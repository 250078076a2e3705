// The reading side of HttpSession.
#include "src/wire/http_session.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::wire {

bool HttpSession::may_read() const {
    if (held_) {
        return false;
    }
    switch (phase_) {
        case Phase::head:
            return exchanges_.size() < limits_.in_flight_max &&
                   output_.size() < limits_.output_bytes_max;
        case Phase::whole_body:
            return true;
        case Phase::ready:
            return may_begin();
        case Phase::alone:
            return exchanges_.empty();
        case Phase::stream_body:
            return !streaming_->body_paused() && output_.size() < limits_.stream_output_bytes_max;
        case Phase::last:
        case Phase::over:
        case Phase::lost:
            return false;
    }
    return false;
}

bool HttpSession::wants_input() const {
    if (input_ended_ || phase_ == Phase::lost) {
        return false;
    }
    if (discarding_) {
        return true;
    }
    if (phase_ == Phase::last && is_endless()) {  // only to see that the client closes
        return discarded_ <= limits_.discard_bytes_max && !lacks_room_to_read();
    }
    return input_.empty() && phase_ != Phase::ready && may_read() && !lacks_room_to_read();
}

/// What is dropped costs no room; else an octet may be held twice, in its request and for carried().
std::size_t HttpSession::read_bytes_max() const {
    return discarding_ ? limits_.read_bytes_max : std::min(limits_.read_bytes_max, room() / 2);
}

std::size_t HttpSession::wanted_room() const {
    if (held_ || phase_ == Phase::lost || phase_ == Phase::over) {
        return 0;
    }
    const auto lacks = [this](std::size_t bytes) { return room() < bytes ? bytes : 0; };
    if (phase_ == Phase::ready) {
        return lacks(incoming_.answer_bytes());
    }
    if (!exchanges_.empty() && exchanges_.front()->waits_for_drain() && output_.empty()) {
        return lacks(limits_.grow_bytes_min);
    }
    return !input_ended_ && may_read() ? lacks(limits_.read_bytes_min) : 0;
}

void HttpSession::receive(std::string_view bytes) {
    if (phase_ == Phase::last || phase_ == Phase::over) {
        discarded_ += bytes.size();
        return;
    }
    const Running running(call_, Call::owner);
    if (input_.empty()) {
        const Running reading(call_, Call::settling);
        read_from(bytes);
    }
    input_ += bytes;
    settle();
}

void HttpSession::end_of_input() {
    const Running running(call_, Call::owner);
    input_ended_ = true;
    settle();
}

void HttpSession::close_input() {
    if (!input_ended_ || !input_.empty()) {
        return;
    }
    if (phase_ == Phase::head || phase_ == Phase::whole_body) {
        phase_ = Phase::last;  // half a request is none; what is in flight is still answered
    } else if (phase_ == Phase::stream_body) {
        abort_body();
        phase_ = Phase::lost;
    }
}

void HttpSession::read_input() {
    if (input_.empty() && phase_ == Phase::head) {
        return;
    }
    const std::string held = std::exchange(input_, {});
    std::string_view rest = held;
    read_from(rest);
    input_ = rest;
}

void HttpSession::read_from(std::string_view& input) {
    if (!input.empty() && (phase_ != Phase::head || parser_.at_rest())) {
        times_.input(clock_.steady());
    }
    std::string_view begun = input;  // of the request that comes
    while (may_read()) {
        if (phase_ == Phase::alone) {
            begin_alone();
            continue;
        }
        if (phase_ == Phase::ready) {
            begin_request();
            begun = input;
            move_answers();
            continue;
        }
        switch (parser_.next(input)) {
            case Http1Parser::Step::need_more:
                keep_request(begun);
                return;
            case Http1Parser::Step::head:
                take_head();
                break;
            case Http1Parser::Step::body:
                take_body(parser_.body());
                break;
            case Http1Parser::Step::complete:
                keep_request(begun.substr(0, begun.size() - input.size()));
                begun = input;
                take_end();
                break;
            case Http1Parser::Step::refused:
                refuse(parser_.refusal().status, parser_.refusal().reason);
                return;
        }
        move_answers();
    }
    keep_request(begun.substr(0, begun.size() - input.size()));
}

/// A streamed body is not kept: it is handed on piece by piece.
void HttpSession::keep_request(std::string_view taken) {
    if (phase_ == Phase::whole_body || phase_ == Phase::alone || phase_ == Phase::ready ||
        (phase_ == Phase::head && !parser_.at_rest())) {
        incoming_.keep_octets(taken);
    } else {
        incoming_.drop_octets();
    }
}

void HttpSession::take_head() {
    owner_.note(SessionNote::request);
    incoming_.begin(std::move(parser_.head()), peer_);
    const HttpRequest& request = incoming_.request();
    times_.body_began(clock_.steady());
    if (refuses_) {
        refuse(503, "there are too many connections; close some first");
        return;
    }
    const bool streams = request.has_body && handler_.wants_stream(request);
    if (!streams && parser_.content_length() > limits_.body_bytes_max) {
        refuse(413, "the body is larger than allowed");
        return;
    }
    phase_ = streams || (request.expects_continue && request.has_body) ? Phase::alone
                                                                       : Phase::whole_body;
}

void HttpSession::begin_alone() {
    const SteadyTime now = clock_.steady();
    times_.body_began(now);
    if (incoming_.request().expects_continue) {
        output_.append(continue_head);
        times_.output(now);
    }
    if (!handler_.wants_stream(incoming_.request())) {
        phase_ = Phase::whole_body;
        return;
    }
    phase_ = Phase::stream_body;
    HttpRequest request = incoming_.take();
    request.received_at = now;
    streaming_ = new_exchange(request);
    streaming_->body_unread(true);
    reader_ = handler_.stream(std::move(request), streaming_);
    streaming_->body_unread(false);
    if (!reader_) {
        streaming_->close_after();  // answered already; the body is not wanted
        streaming_.reset();
        phase_ = Phase::last;
        discarding_ = true;
    }
}

void HttpSession::take_body(std::string_view piece) {
    if (phase_ == Phase::stream_body) {
        reader_->data(piece);
    } else if (!incoming_.add_body(piece, limits_.body_bytes_max)) {
        refuse(413, "the body is larger than allowed");
    }
}

void HttpSession::take_end() {
    const SteadyTime now = clock_.steady();
    times_.request_whole(now);
    if (phase_ == Phase::stream_body) {
        phase_ = streaming_->keep_alive() ? Phase::head : Phase::last;
        std::exchange(reader_, nullptr)->end();
        streaming_.reset();
        return;
    }
    incoming_.whole(now, handler_.answer_bytes(incoming_.request()));
    phase_ = Phase::ready;
}

bool HttpSession::may_begin() const {
    const bool its_turn = exchanges_.size() < limits_.in_flight_max &&
                          (incoming_.answer_bytes() <= limits_.large_answer_bytes ||
                           (exchanges_.empty() && output_.empty()));
    return its_turn && room() >= incoming_.answer_bytes();
}

void HttpSession::begin_request() {
    incoming_.drop_octets();
    phase_ = incoming_.request().keep_alive ? Phase::head : Phase::last;
    auto exchange = new_exchange(incoming_.request());
    exchange->holds(incoming_.answer_bytes() + incoming_.request().body.size());
    handler_.handle(incoming_.take(), std::move(exchange));
    count_held();
}

void HttpSession::refuse(int status, std::string_view reason) {
    owner_.note(status == 408   ? SessionNote::timeout
                : status == 503 ? SessionNote::no_room
                                : SessionNote::bad_head);
    if (phase_ == Phase::stream_body) {
        abort_body();  // its answer has begun: all that can be done is to cut it
        answer_cut();
        return;
    }
    phase_ = Phase::last;
    discarding_ = true;
    incoming_ = {};
    auto exchange = std::make_shared<HttpExchange>(*this, HttpExchange::Form{.keep_alive = false});
    exchanges_.push_back(exchange);
    exchange->send(handler_.refusal(status, reason));
}

std::shared_ptr<HttpExchange> HttpSession::new_exchange(const HttpRequest& request) {
    auto exchange = std::make_shared<HttpExchange>(
        *this, HttpExchange::Form{.keep_alive = request.keep_alive,
                                  .head_only = request.method == "HEAD",
                                  .is_1_1 = request.is_1_1});
    exchanges_.push_back(exchange);
    return exchange;
}

void HttpSession::abort_body() {
    if (reader_) {
        std::exchange(reader_, nullptr)->aborted();
    }
    streaming_.reset();
}

}  // namespace smsrack::wire
