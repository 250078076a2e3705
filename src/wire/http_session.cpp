#include "src/wire/http_session.hpp"

#include "src/wire/http_session_core.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::wire {

HttpSession::Core::Core(const HttpLimits& limits, HttpHandler& handler, SessionOwner& owner,
                        const Clock& clock, SessionBudget::Share& share, Peer peer)
    : limits_(limits),
      handler_(handler),
      owner_(owner),
      clock_(clock),
      share_(share),
      peer_(std::move(peer)),
      parser_(limits.head),
      body_since_(clock.steady()),
      input_since_(body_since_),
      output_since_(input_since_),
      over_since_(input_since_),
      ready_since_(input_since_) {}

void HttpSession::Core::changed() {
    if (call_ == Call::settling) {
        return;  // which sees it
    }
    settle();
    if (call_ == Call::none) {
        owner_.session_changed();
    }
}

void HttpSession::Core::settle() {
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

void HttpSession::Core::count_held() {
    std::size_t held = unsent() + input_.size() + request_octets_.size() + request_.body.size();
    for (const auto& exchange : exchanges_) {
        held += exchange->held();
    }
    share_.hold(held);
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
    const bool was_reading = may_read();
    sent_ += count;
    if (sent_ == output_.size()) {
        empty(output_);
        sent_ = 0;
    } else if (sent_ > output_.size() / 2) {
        output_.erase(0, sent_);
        sent_ = 0;
    }
    output_since_ = clock_.steady();
    ready_since_ = output_since_;
    const Running running(call_, Call::owner);
    count_held();
    tell_drained();
    if (!was_reading && may_read()) {
        input_since_ = output_since_;  // the delay was ours: we did not read
    }
    settle();
}

void HttpSession::Core::tell_drained() {
    if (unsent() == 0 && !exchanges_.empty() && exchanges_.front()->pending().empty() &&
        room() >= limits_.grow_bytes_min) {
        const std::shared_ptr<HttpExchange> front = exchanges_.front();
        front->drained();
    }
}

void HttpSession::Core::look_again() {
    const Running running(call_, Call::owner);
    if (phase_ == Phase::stream_body) {
        input_since_ = clock_.steady();  // the delay was ours: we did not read
    }
    tell_drained();
    settle();
}

void HttpSession::Core::body_pause_changed() {
    input_since_ = clock_.steady();
    changed();
}

void HttpSession::Core::answer_cut() {
    phase_ = Phase::lost;
    changed();
}

void HttpSession::Core::connection_lost() {
    phase_ = Phase::lost;
    const Running running(call_, Call::owner);
    abort_body();
    for (const auto& exchange : std::exchange(exchanges_, {})) {
        exchange->lose();
    }
    share_.hold(0);
}

bool HttpSession::Core::is_endless() const {
    return std::ranges::any_of(exchanges_, [](const auto& exchange) {
        return exchange->filler_every().count() > 0 && !exchange->done();
    });
}

void HttpSession::Core::drain() {
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

void HttpSession::hold(bool held) {
    core_->hold(held);
}

bool HttpSession::is_settled() const {
    return core_->is_settled();
}

SessionCarried HttpSession::carried() {
    return core_->carried();
}

void HttpSession::adopt(SessionCarried carried) {
    core_->adopt(std::move(carried));
}

HttpSession::HttpSession(const HttpLimits& limits, HttpHandler& handler, SessionOwner& owner,
                         const Clock& clock, SessionBudget::Share& share, Peer peer)
    : core_(std::make_unique<Core>(limits, handler, owner, clock, share, std::move(peer))) {}

HttpSession::~HttpSession() {
    core_->connection_lost();
}

void HttpSession::receive(std::string_view bytes) {
    core_->receive(bytes);
}

void HttpSession::end_of_input() {
    core_->end_of_input();
}

bool HttpSession::is_endless() const {
    return core_->is_endless();
}

void HttpSession::connection_lost() {
    core_->connection_lost();
}

bool HttpSession::is_idle() const {
    return core_->is_idle();
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

std::size_t HttpSession::read_bytes_max() const {
    return core_->read_bytes_max();
}

std::size_t HttpSession::wanted_room() const {
    return core_->wanted_room();
}

void HttpSession::look_again() {
    core_->look_again();
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
