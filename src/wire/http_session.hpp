/// The HTTP session of one connection: octets in, octets out, and the next deadline. It uses no
/// sockets.
///
/// Several requests may be in the handler's hands at once (pipelining); answers leave in the order
/// of the requests. A streamed body or answer has the connection for itself, and so has a large answer. What the session
/// holds counts in the budget of the client's account; without room it reads no more and starts no request.
///
/// Every way in (octets, an answer, a deadline) ends in settle(): finished answers leave in order,
/// then as much input is read as the bounds allow. Reading is in http_session_input.cpp, the change of
/// processes in http_session_carry.cpp.
/// Bounds:  HttpLimits, each with its reason; SessionBudget for all sessions together.
/// Time:    steady time of the injected Clock.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/base/members.hpp"
#include "src/wire/http1.hpp"
#include "src/wire/http_exchange.hpp"
#include "src/wire/http_limits.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/incoming_request.hpp"
#include "src/wire/out_buffer.hpp"
#include "src/wire/session_budget.hpp"
#include "src/wire/session_times.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::wire {

enum class SessionNote : std::uint8_t {
    request,
    bad_head,
    timeout,
    no_room,  ///< a request was refused: its account holds all that it may
};

/// The owner of the socket.
class SessionOwner : public Interface {
public:
    /// Something changed outside of receive(), written() and step(): output, wants_input(),
    /// deadline() or finished().
    virtual void session_changed() = 0;
    virtual void note(SessionNote note) = 0;
};

/// A conversation between two answers, as one process leaves it to the next.
struct SessionCarried {
    /// Read, and part of no request that was handed on; before it what leads into its body.
    std::string input = {};
    std::string output = {};  ///< of answers, not taken by the client yet
    bool closing = false;     ///< no further request: the connection ends behind `output`
    std::shared_ptr<AnswerCarried> answer = {};  ///< under way; null: none
    SMSRACK_MEMBERS(input, output, closing, answer);
};

class HttpSession final : public ExchangeOwner {
public:
    /// All references outlive the session.
    HttpSession(const HttpLimits& limits, HttpHandler& handler, SessionOwner& owner,
                const Clock& clock, SessionBudget::Share& share, Peer peer);
    ~HttpSession() override { connection_lost(); }

    /// The client has shown this name, before its first octet.
    void shown(std::string certificate) { peer_.certificate = std::move(certificate); }

    /// Octets that came; any number of them is taken, but wants_input() says when to stop reading.
    void receive(std::string_view bytes);
    /// The client will send no more.
    void end_of_input();

    /// An answer without end is under way: where the client is gone, nothing else would end it before its next filler.
    [[nodiscard]] bool is_endless() const;

    /// The connection is gone: all its exchanges are notified.
    void connection_lost();
    /// Nothing of a request has come, and no answer is owed.
    [[nodiscard]] bool is_idle() const {
        return phase_ == Phase::head && parser_.at_rest() && exchanges_.empty() && output_.empty();
    }
    /// There is no place for this client: its next request is refused, and the connection ends.
    void refuse_requests() { refuses_ = true; }
    /// No further request is taken; those in flight are answered, streams are ended.
    void drain();

    /// No further request is handed on, even if it has come in part; those in flight are answered.
    /// Or requests are handed on again.
    void hold(bool held);
    /// Since hold(true): what there is can be left to another process.
    [[nodiscard]] bool is_settled() const;
    /// Then the session is over here; the client does not notice.
    [[nodiscard]] SessionCarried carried();
    /// At the beginning: continues as another session has left it.
    void adopt(SessionCarried carried);

    /// What to write; written() says how much of it left.
    [[nodiscard]] std::string_view output() const { return output_.unsent(); }
    void written(std::size_t count);

    [[nodiscard]] bool wants_input() const;
    /// Octets to read at once.
    [[nodiscard]] std::size_t read_bytes_max() const;
    /// Octets of room that the session waits for; 0: it does not wait. look_again() once there is
    /// as much.
    [[nodiscard]] std::size_t wanted_room() const;
    void look_again();
    /// The last answer has left: the writing side may be shut down.
    [[nodiscard]] bool output_ended() const { return phase_ == Phase::over && output_.empty(); }
    /// Everything was said, or the client is beyond help: close.
    [[nodiscard]] bool finished() const;

    [[nodiscard]] SteadyTime deadline() const;
    /// Acts on deadlines that have passed.
    void step(SteadyTime now);

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

    // -- ExchangeOwner
    void answer_grew() override { changed(); }
    void answer_cut() override;
    void body_pause_changed() override;
    [[nodiscard]] std::size_t unsent() const override { return output_.size(); }
    void holding_changed() override { count_held(); }
    [[nodiscard]] std::size_t room() const override { return share_.room(); }
    [[nodiscard]] std::unique_ptr<SessionBudget::Share> leave_behind(std::size_t bytes) override {
        return share_.another(bytes);
    }

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
    [[nodiscard]] SteadyTime filler_deadline() const;

    const HttpLimits& limits_;
    HttpHandler& handler_;
    SessionOwner& owner_;
    const Clock& clock_;
    SessionBudget::Share& share_;
    Peer peer_;

    Http1Parser parser_;
    Phase phase_ = Phase::head;
    std::string input_;  // not read yet because a bound was reached; the owner stops reading then
    IncomingRequest incoming_;
    std::unique_ptr<BodyReader> reader_;
    std::shared_ptr<HttpExchange> streaming_;  // of reader_
    // In order of the requests, <= in_flight_max.
    std::deque<std::shared_ptr<HttpExchange>> exchanges_;

    OutBuffer output_;
    Call call_ = Call::none;
    // They are independent: all but the last change in any phase, the last outlives Phase::last.
    bool held_ = false;     // by hold()
    bool refuses_ = false;  // by refuse_requests()
    bool input_ended_ = false;
    // Unread input is dropped so that the client gets to read our refusal.
    bool discarding_ = false;
    std::size_t discarded_ = 0;
    SessionTimes times_;
};

}  // namespace smsrack::wire
