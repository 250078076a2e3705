// Deadlines of HttpSession, and its end.
#include "src/wire/http_session.hpp"

#include <algorithm>

namespace smsrack::wire {

bool HttpSession::finished() const {
    if (phase_ == Phase::lost) {
        return true;
    }
    if (!output_ended()) {
        return false;
    }
    return !discarding_ || input_ended_ || discarded_ > limits_.discard_bytes_max ||
           clock_.steady() >= over_since_ + limits_.discard_time;
}

SteadyTime HttpSession::input_deadline() const {
    switch (phase_) {
        case Phase::head:
            if (!parser_.at_rest()) {
                return may_read() ? input_since_ + limits_.head_time : never;
            }
            return exchanges_.empty() && unsent() == 0 ? input_since_ + limits_.idle_time : never;
        case Phase::whole_body:
            return std::min(input_since_ + limits_.body_time, body_deadline());
        case Phase::ready:
            return exchanges_.empty() && unsent() == 0 ? ready_since_ + limits_.room_time : never;
        case Phase::stream_body:
            return may_read() && !lacks_room_to_read() ? input_since_ + limits_.body_time : never;
        case Phase::over:
            return unsent() == 0 && discarding_ ? over_since_ + limits_.discard_time : never;
        case Phase::alone:
        case Phase::last:
        case Phase::lost:
            return never;
    }
    return never;
}

SteadyTime HttpSession::body_deadline() const {
    const std::chrono::milliseconds earned(request_.body.size() * 1000 / limits_.body_rate_min);
    return body_since_ + limits_.body_grace + earned;
}

SteadyTime HttpSession::filler_deadline() const {
    if (exchanges_.empty() || exchanges_.front()->filler_every().count() == 0 || unsent() > 0) {
        return never;
    }
    return output_since_ + exchanges_.front()->filler_every();
}

SteadyTime HttpSession::deadline() const {
    const SteadyTime output_deadline = unsent() > 0 ? output_since_ + limits_.write_time : never;
    return std::min({input_deadline(), output_deadline, filler_deadline()});
}

void HttpSession::step(SteadyTime now) {
    const Running running(call_, Call::owner);
    if (unsent() > 0 && now >= output_since_ + limits_.write_time) {
        owner_.note(SessionNote::timeout);
        phase_ = Phase::lost;
    } else if (now >= filler_deadline()) {
        exchanges_.front()->write_filler();
        output_since_ = now;
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
