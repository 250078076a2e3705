/// The inside of HttpSession. Reading is in http_session_input.cpp, answers are in
/// http_session.cpp, deadlines in http_session_time.cpp.
///
/// Every way in (octets, an answer, a deadline) ends in settle(): finished answers leave in order,
/// then as much input is read as the bounds allow.
#pragma once

#include "src/wire/http_exchange.hpp"
#include "src/wire/http_session.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::wire {

/// Empties a buffer, and gives its memory back where much has been in it: a thousand connections keep what each keeps.
inline void empty(std::string& buffer) {
    constexpr std::size_t kept_max = 4UL * 1024;
    if (buffer.capacity() > kept_max) {
        buffer = {};
    } else {
        buffer.clear();
    }
}

class HttpSession::Core final : public ExchangeOwner {
public:
    Core(const HttpLimits& limits, HttpHandler& handler, SessionOwner& owner, const Clock& clock,
         SessionBudget::Share& share, Peer peer);

    void receive(std::string_view bytes);
    void end_of_input();
    /// An answer without end is under way.
    [[nodiscard]] bool is_endless() const;
    void connection_lost();
    [[nodiscard]] bool is_idle() const {
        return phase_ == Phase::head && parser_.at_rest() && exchanges_.empty() && unsent() == 0;
    }
    void drain();
    void hold(bool held);
    [[nodiscard]] bool is_settled() const;
    [[nodiscard]] SessionCarried carried();
    void adopt(SessionCarried carried);
    void written(std::size_t count);
    void step(SteadyTime now);

    [[nodiscard]] std::string_view output() const {
        return std::string_view(output_).substr(sent_);
    }
    [[nodiscard]] bool wants_input() const;
    [[nodiscard]] std::size_t read_bytes_max() const;
    [[nodiscard]] std::size_t wanted_room() const;
    void look_again();
    [[nodiscard]] bool output_ended() const { return phase_ == Phase::over && unsent() == 0; }
    [[nodiscard]] bool finished() const;
    [[nodiscard]] SteadyTime deadline() const;

    // -- ExchangeOwner
    void answer_grew() override { changed(); }
    void answer_cut() override;
    void body_pause_changed() override;
    [[nodiscard]] std::size_t unsent() const override { return output_.size() - sent_; }
    void holding_changed() override { count_held(); }
    [[nodiscard]] std::size_t room() const override { return share_.room(); }
    [[nodiscard]] std::unique_ptr<SessionBudget::Share> leave_behind(std::size_t bytes) override {
        return share_.another(bytes);
    }

private:
    enum class Phase : std::uint8_t {
        head,         ///< between requests, or within a head
        whole_body,   ///< gathering a body
        ready,        ///< a whole request is here that waits for room, or for the answers before it
        alone,        ///< a head is here that needs the connection for itself
        stream_body,  ///< handing a body on
        last,         ///< no further request; pending answers still leave
        over,         ///< the last answer is in output_
        lost,
    };

    enum class Call : std::uint8_t {
        none,
        owner,     ///< one of the owner's: the owner looks by itself when it has returned
        settling,  ///< what changes meanwhile is seen before it returns
    };
    /// The call that is running, until it returns.
    class Running {
    public:
        Running(Call& call, Call now) : call_(call), before_(std::exchange(call, now)) {}
        ~Running() { call_ = before_; }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

    private:
        Call& call_;
        const Call before_;
    };

    void changed();
    void settle();

    // -- input
    void read_input();
    void close_input();
    void read_from(std::string_view& input);
    [[nodiscard]] bool may_read() const;
    void keep_request(std::string_view taken);
    void take_head();
    void begin_alone();
    void take_body(std::string_view piece);
    void take_end();
    [[nodiscard]] bool may_begin() const;
    void begin_request();
    void refuse(int status, std::string_view reason);
    std::shared_ptr<HttpExchange> new_exchange(const HttpRequest& request);

    // -- output
    void move_answers();
    void tell_drained();
    void count_held();
    void abort_body();
    void begin_in_body(std::string& octets);
    [[nodiscard]] bool lacks_room_to_read() const { return share_.room() < limits_.read_bytes_min; }
    [[nodiscard]] SteadyTime input_deadline() const;
    [[nodiscard]] SteadyTime body_deadline() const;
    [[nodiscard]] SteadyTime filler_deadline() const;

    const HttpLimits& limits_;
    HttpHandler& handler_;
    SessionOwner& owner_;
    const Clock& clock_;
    SessionBudget::Share& share_;
    const Peer peer_;

    Http1Parser parser_;
    Phase phase_ = Phase::head;
    std::string input_;  // not read yet because a bound was reached; the owner stops reading then
    // Of the request that has begun to come, for carried(); <= head and body.
    std::string request_octets_;
    bool held_ = false;  // by hold()
    HttpRequest request_;
    std::size_t answer_bytes_ = 0;  // to expect for request_, while it is ready
    std::unique_ptr<BodyReader> reader_;
    std::shared_ptr<HttpExchange> streaming_;  // of reader_
    // In order of the requests, <= in_flight_max.
    std::deque<std::shared_ptr<HttpExchange>> exchanges_;

    std::string output_;
    std::size_t sent_ = 0;  // of output_
    Call call_ = Call::none;
    bool input_ended_ = false;
    // Unread input is dropped so that the client gets to read our refusal.
    bool discarding_ = false;
    std::size_t discarded_ = 0;
    SteadyTime body_since_;   // begin of a body that is gathered
    SteadyTime input_since_;  // begin of the idle time, of the head, or of the pause in a body
    // Last time the client took something, or there was something new for it.
    SteadyTime output_since_;
    SteadyTime over_since_;
    SteadyTime ready_since_;  // a whole request waits for nothing but room
};

}  // namespace smsrack::wire
