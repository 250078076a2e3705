#include "src/wire/http_session.hpp"

#include "src/wire/http_session_core.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::wire {

HttpSession::Core::Core(const HttpLimits& limits, HttpHandler& handler, SessionOwner& owner,
                        const Clock& clock, Peer peer)
    : limits_(limits),
      handler_(handler),
      owner_(owner),
      clock_(clock),
      peer_(std::move(peer)),
      parser_(limits.head),
      input_since_(clock.steady()),
      output_since_(input_since_),
      over_since_(input_since_) {}

void HttpSession::Core::changed() {
    if (settling_) {
        return;  // the running call goes on to see it
    }
    settle();
    if (!inside_) {
        owner_.session_changed();
    }
}

void HttpSession::Core::settle() {
    if (phase_ == Phase::lost) {
        return;
    }
    settling_ = true;
    move_answers();
    read_input();
    close_input();
    move_answers();
    settling_ = false;
}

void HttpSession::Core::move_answers() {
    const bool was_empty = unsent() == 0;
    bool moved = false;
    while (!exchanges_.empty() && phase_ != Phase::over) {
        const std::shared_ptr<HttpExchange> front = exchanges_.front();
        moved = moved || !front->pending().empty();
        output_ += front->pending();
        front->pending().clear();
        if (!front->done()) {
            break;
        }
        exchanges_.pop_front();
        if (!front->keep_alive() && phase_ != Phase::stream_body) {
            phase_ = Phase::last;
        }
        front->lose();
        if (!exchanges_.empty() || phase_ == Phase::last) {
            continue;
        }
        input_since_ = clock_.steady();
    }
    if (moved && was_empty) {
        output_since_ = clock_.steady();
    }
    if (phase_ == Phase::last && exchanges_.empty()) {
        phase_ = Phase::over;
        over_since_ = clock_.steady();
    }
}

void HttpSession::Core::written(std::size_t count) {
    if (count == 0) {
        return;
    }
    sent_ += count;
    if (sent_ == output_.size()) {
        output_.clear();
        sent_ = 0;
    } else if (sent_ > output_.size() / 2) {
        output_.erase(0, sent_);
        sent_ = 0;
    }
    output_since_ = clock_.steady();
    inside_ = true;
    if (unsent() == 0 && !exchanges_.empty() && exchanges_.front()->pending().empty()) {
        const std::shared_ptr<HttpExchange> front = exchanges_.front();
        front->drained();
    }
    settle();
    inside_ = false;
}

void HttpSession::Core::answer_cut() {
    phase_ = Phase::lost;
    changed();
}

void HttpSession::Core::connection_lost() {
    phase_ = Phase::lost;
    inside_ = true;
    abort_body();
    for (const auto& exchange : std::exchange(exchanges_, {})) {
        exchange->lose();
    }
    inside_ = false;
}

void HttpSession::Core::drain() {
    inside_ = true;
    settling_ = true;
    for (const auto& exchange : exchanges_) {
        if (exchange->filler_every().count() > 0) {
            exchange->end_endless();
        }
    }
    if (reader_) {
        std::exchange(reader_, nullptr)
            ->end();  // what came is answered, the client sees how far it got
        streaming_->close_after();
        streaming_.reset();
    }
    if (phase_ != Phase::over && phase_ != Phase::lost) {
        phase_ = Phase::last;
    }
    settle();
    inside_ = false;
}

bool HttpSession::Core::finished() const {
    if (phase_ == Phase::lost) {
        return true;
    }
    if (!output_ended()) {
        return false;
    }
    return !discarding_ || input_ended_ || discarded_ > limits_.discard_bytes_max ||
           clock_.steady() >= over_since_ + limits_.discard_time;
}

SteadyTime HttpSession::Core::input_deadline() const {
    switch (phase_) {
        case Phase::head:
            if (!parser_.at_rest()) {
                return input_since_ + limits_.head_time;
            }
            return exchanges_.empty() && unsent() == 0 ? input_since_ + limits_.idle_time : never;
        case Phase::whole_body:
            return input_since_ + limits_.body_time;
        case Phase::stream_body:
            return may_read() ? input_since_ + limits_.body_time : never;
        case Phase::over:
            return unsent() == 0 && discarding_ ? over_since_ + limits_.discard_time : never;
        case Phase::alone:
        case Phase::last:
        case Phase::lost:
            return never;
    }
    return never;
}

SteadyTime HttpSession::Core::filler_deadline() const {
    if (exchanges_.empty() || exchanges_.front()->filler_every().count() == 0 || unsent() > 0) {
        return never;
    }
    return output_since_ + exchanges_.front()->filler_every();
}

SteadyTime HttpSession::Core::deadline() const {
    const SteadyTime output_deadline = unsent() > 0 ? output_since_ + limits_.write_time : never;
    return std::min({input_deadline(), output_deadline, filler_deadline()});
}

void HttpSession::Core::step(SteadyTime now) {
    inside_ = true;
    if (unsent() > 0 && now >= output_since_ + limits_.write_time) {
        owner_.note(SessionNote::timeout);
        phase_ = Phase::lost;
    } else if (now >= filler_deadline()) {
        exchanges_.front()->write_filler();
        output_since_ = now;
    } else if (now >= input_deadline() && phase_ != Phase::over) {
        if (phase_ == Phase::head && parser_.at_rest()) {
            phase_ = Phase::last;
        } else {
            refuse(408, "the request did not come in time");
        }
    }
    settle();
    inside_ = false;
}

HttpSession::HttpSession(const HttpLimits& limits, HttpHandler& handler, SessionOwner& owner,
                         const Clock& clock, Peer peer)
    : core_(std::make_unique<Core>(limits, handler, owner, clock, std::move(peer))) {}

HttpSession::~HttpSession() {
    core_->connection_lost();
}

void HttpSession::receive(std::string_view bytes) {
    core_->receive(bytes);
}

void HttpSession::end_of_input() {
    core_->end_of_input();
}

void HttpSession::connection_lost() {
    core_->connection_lost();
}

void HttpSession::drain() {
    core_->drain();
}

std::string_view HttpSession::output() const {
    return core_->output();
}

void HttpSession::written(std::size_t count) {
    core_->written(count);
}

bool HttpSession::wants_input() const {
    return core_->wants_input();
}

bool HttpSession::output_ended() const {
    return core_->output_ended();
}

bool HttpSession::finished() const {
    return core_->finished();
}

SteadyTime HttpSession::deadline() const {
    return core_->deadline();
}

void HttpSession::step(SteadyTime now) {
    core_->step(now);
}

}  // namespace smsrack::wire
