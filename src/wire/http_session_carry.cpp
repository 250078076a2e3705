// A conversation from one process to the next: what has come of a request is read again there.
#include "src/wire/http_session.hpp"

#include <utility>

namespace smsrack::wire {

void HttpSession::hold(bool held) {
    const Running running(call_, Call::owner);
    if (held_ && !held) {
        times_.input(clock_.steady());  // the delay was ours: we did not read
    }
    held_ = held;
    settle();
}

bool HttpSession::is_settled() const {
    if (!held_) {
        return false;
    }
    return exchanges_.empty() || (exchanges_.size() == 1 && exchanges_.front()->can_be_carried() &&
                                  exchanges_.front()->pending().empty());
}

SessionCarried HttpSession::carried() {
    SessionCarried carried{
        .input =
            (phase_ == Phase::stream_body ? parser_.octets_to_here() : incoming_.take_octets()) +
            std::exchange(input_, {}),
        .output = std::string(output()),
        .closing = phase_ == Phase::last || phase_ == Phase::over || phase_ == Phase::lost};
    if (!exchanges_.empty()) {
        carried.answer = std::make_shared<AnswerCarried>(exchanges_.front()->carried());
    }
    reader_.reset();  // behind its answer's last word
    streaming_.reset();
    return carried;
}

void HttpSession::adopt(SessionCarried carried) {
    const Running running(call_, Call::owner);
    output_.append(carried.output);
    times_.output(clock_.steady());
    if (carried.answer) {
        const AnswerCarried& answer = *carried.answer;
        auto exchange = std::make_shared<HttpExchange>(
            *this, HttpExchange::Form{.keep_alive = answer.keep_alive,
                                      .head_only = answer.head_only,
                                      .is_1_1 = answer.is_1_1});
        exchange->adopt(answer);
        exchanges_.push_back(exchange);
        reader_ = handler_.resume(answer.mark, peer_, exchange);
        if (reader_) {
            streaming_ = std::move(exchange);
            begin_in_body(carried.input);
        }
    }
    if (carried.closing) {
        phase_ = Phase::last;
    } else {
        input_ = std::move(carried.input);
    }
    settle();  // reads it
}

/// Drops from `octets` what Http1Parser::octets_to_here() has put there.
void HttpSession::begin_in_body(std::string& octets) {
    std::string_view rest = octets;
    if (parser_.next(rest) != Http1Parser::Step::head) {
        return answer_cut();
    }
    if (parser_.head().path == "/1" && parser_.next(rest) != Http1Parser::Step::body) {
        return answer_cut();
    }
    octets.erase(0, octets.size() - rest.size());
    phase_ = Phase::stream_body;
}

}  // namespace smsrack::wire
