#include "src/wire/http_session.hpp"

#include <algorithm>

namespace smsrack::wire {

HttpSession::HttpSession(const HttpLimits& limits, HttpHandler& handler, SessionOwner& owner,
                         const Clock& clock, SessionBudget::Share& share, Peer peer)
    : limits_(limits),
      handler_(handler),
      owner_(owner),
      clock_(clock),
      share_(share),
      peer_(std::move(peer)),
      parser_(limits.head),
      times_(limits, clock.steady()) {}

void HttpSession::changed() {
    if (call_ == Call::settling) {
        return;  // which sees it
    }
    settle();
    if (call_ == Call::none) {
        owner_.session_changed();
    }
}

void HttpSession::settle() {
    if (phase_ == Phase::lost) {
        return;
    }
    {
        const Running settling(call_, Call::settling);
        move_answers();
        read_input();
        close_input();
        move_answers();
    }
    count_held();
}

void HttpSession::count_held() {
    std::size_t held = output_.size() + input_.size() + incoming_.held();
    for (const auto& exchange : exchanges_) {
        held += exchange->held();
    }
    share_.hold(held);
}

void HttpSession::move_answers() {
    const bool was_empty = output_.empty();
    bool moved = false;
    while (!exchanges_.empty() && phase_ != Phase::over) {
        const std::shared_ptr<HttpExchange> front = exchanges_.front();
        moved = moved || !front->pending().empty();
        output_.append(front->pending());
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
        times_.input(clock_.steady());
    }
    if (moved && was_empty) {
        times_.output(clock_.steady());
    }
    if (phase_ == Phase::last && exchanges_.empty()) {
        phase_ = Phase::over;
        times_.over(clock_.steady());
    }
}

void HttpSession::written(std::size_t count) {
    if (count == 0) {
        return;
    }
    const bool was_reading = may_read();
    output_.written(count);
    const SteadyTime now = clock_.steady();
    times_.output_taken(now);
    const Running running(call_, Call::owner);
    count_held();
    tell_drained();
    if (!was_reading && may_read()) {
        times_.input(now);  // the delay was ours: we did not read
    }
    settle();
}

void HttpSession::tell_drained() {
    if (output_.empty() && !exchanges_.empty() && exchanges_.front()->pending().empty() &&
        room() >= limits_.grow_bytes_min) {
        const std::shared_ptr<HttpExchange> front = exchanges_.front();
        front->drained();
    }
}

void HttpSession::look_again() {
    const Running running(call_, Call::owner);
    if (phase_ == Phase::stream_body) {
        times_.input(clock_.steady());  // the delay was ours: we did not read
    }
    tell_drained();
    settle();
}

void HttpSession::body_pause_changed() {
    times_.input(clock_.steady());
    changed();
}

void HttpSession::answer_cut() {
    phase_ = Phase::lost;
    changed();
}

void HttpSession::connection_lost() {
    phase_ = Phase::lost;
    const Running running(call_, Call::owner);
    abort_body();
    for (const auto& exchange : std::exchange(exchanges_, {})) {
        exchange->lose();
    }
    share_.hold(0);
}

bool HttpSession::is_endless() const {
    return std::ranges::any_of(exchanges_, [](const auto& exchange) {
        return exchange->filler_every().count() > 0 && !exchange->done();
    });
}

void HttpSession::drain() {
    const Running running(call_, Call::owner);
    {
        const Running settling(call_, Call::settling);
        for (const auto& exchange : exchanges_) {
            if (exchange->filler_every().count() > 0) {
                exchange->end_endless();
            }
        }
        if (reader_) {
            std::exchange(reader_, nullptr)->stopped();
            streaming_->close_after();
            streaming_.reset();
        }
    }
    if (phase_ != Phase::over && phase_ != Phase::lost) {
        phase_ = Phase::last;
    }
    settle();
}

bool HttpSession::finished() const {
    if (phase_ == Phase::lost) {
        return true;
    }
    if (!output_ended()) {
        return false;
    }
    return !discarding_ || input_ended_ || discarded_ > limits_.discard_bytes_max ||
           clock_.steady() >= times_.discard_end();
}

SteadyTime HttpSession::input_deadline() const {
    switch (phase_) {
        case Phase::head:
            if (!parser_.at_rest()) {
                return may_read() ? times_.head_end() : never;
            }
            return exchanges_.empty() && output_.empty() ? times_.idle_end() : never;
        case Phase::whole_body:
            return times_.body_end(incoming_.request().body.size());
        case Phase::ready:
            return exchanges_.empty() && output_.empty() ? times_.room_end() : never;
        case Phase::stream_body:
            return may_read() && !lacks_room_to_read() ? times_.pause_end() : never;
        case Phase::over:
            return output_.empty() && discarding_ ? times_.discard_end() : never;
        case Phase::alone:
        case Phase::last:
        case Phase::lost:
            return never;
    }
    return never;
}

SteadyTime HttpSession::filler_deadline() const {
    if (exchanges_.empty() || exchanges_.front()->filler_every().count() == 0 || !output_.empty()) {
        return never;
    }
    return times_.filler_due(exchanges_.front()->filler_every());
}

SteadyTime HttpSession::deadline() const {
    const SteadyTime output_deadline = output_.empty() ? never : times_.write_end();
    return std::min({input_deadline(), output_deadline, filler_deadline()});
}

void HttpSession::step(SteadyTime now) {
    const Running running(call_, Call::owner);
    if (!output_.empty() && now >= times_.write_end()) {
        owner_.note(SessionNote::timeout);
        phase_ = Phase::lost;
    } else if (now >= filler_deadline()) {
        exchanges_.front()->write_filler();
        times_.output(now);
    } else if (now >= input_deadline() && phase_ != Phase::over) {
        if (phase_ == Phase::head && parser_.at_rest()) {
            phase_ = Phase::last;
        } else if (phase_ == Phase::ready || lacks_room_to_read()) {
            refuse(503, "your account has too many requests or unread answers; read them first");
        } else {
            refuse(408, "the request did not come in time");
        }
    }
    settle();
}

}  // namespace smsrack::wire
