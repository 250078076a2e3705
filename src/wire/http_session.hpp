/// The HTTP session of one connection: octets in, octets out, and the next deadline. It uses no
/// sockets.
///
/// Several requests may be in the handler's hands at once (pipelining); answers leave in the order
/// of the requests. A streamed body or answer has the connection for itself, and so has a large answer. What the session
/// holds counts in the budget of the client's account; without room it reads no more and starts no request.
/// Bounds:  HttpLimits, each with its reason; SessionBudget for all sessions together.
/// Time:    steady time of the injected Clock.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/wire/http1.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/session_budget.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace smsrack::wire {

struct HttpLimits {
    Http1Limits head = {};
    std::size_t body_bytes_max = 64UL * 1024;  ///< of a single body: docs/api.md, "Bodies"
    std::size_t in_flight_max = 64;  ///< requests of one connection in the handler's hands
    /// Unsent answers that stop the reading of further requests.
    std::size_t output_bytes_max = 256UL * 1024;
    /// The same while a body streams: some clients read only at its end.
    std::size_t stream_output_bytes_max = 8u << 20;
    /// An answer of more is begun when all before it were taken.
    std::size_t large_answer_bytes = 64UL * 1024;
    std::size_t read_bytes_min = 1024;          ///< with less room nothing is read
    std::size_t read_bytes_max = 16UL * 1024;   ///< at once: then it is another connection's turn
    std::size_t grow_bytes_min = 128UL * 1024;  ///< room for a stream that continues: one batch
    /// Read and dropped after a refusal, so that the client sees it.
    std::size_t discard_bytes_max = 64u << 20;
    std::chrono::seconds head_time{10};   ///< from the first octet of a head to its last
    std::chrono::seconds body_time{30};   ///< the longest pause in a body
    std::chrono::seconds body_grace{10};  ///< and a body that is not streamed comes in that time,
    std::size_t body_rate_min = 1024;     ///< plus a second for this many octets
    std::chrono::seconds idle_time{300};  ///< between requests; local clients keep their connection
    std::chrono::seconds write_time{30};  ///< the longest pause of a client that takes nothing
    std::chrono::seconds room_time{10};   ///< a request that waits longer for room is refused: 503
    std::chrono::seconds discard_time{5};
};

enum class SessionNote : std::uint8_t {
    request,
    bad_head,
    timeout,
    no_room,  ///< a request was refused: its account holds all that it may
};

/// The owner of the socket.
class SessionOwner {
public:
    SessionOwner() = default;
    SessionOwner(const SessionOwner&) = delete;
    SessionOwner& operator=(const SessionOwner&) = delete;
    virtual ~SessionOwner() = default;

    /// Something changed outside of receive(), written() and step(): output, wants_input(),
    /// deadline() or finished().
    virtual void session_changed() = 0;
    virtual void note(SessionNote note) = 0;
};

class HttpExchange;
struct AnswerCarried;

/// A conversation between two answers, as one process leaves it to the next.
struct SessionCarried {
    /// Read, and part of no request that was handed on; before it what leads into its body.
    std::string input = {};
    std::string output = {};  ///< of answers, not taken by the client yet
    bool closing = false;     ///< no further request: the connection ends behind `output`
    std::shared_ptr<AnswerCarried> answer = {};  ///< under way; null: none
};

class HttpSession {
public:
    /// All references outlive the session.
    HttpSession(const HttpLimits& limits, HttpHandler& handler, SessionOwner& owner,
                const Clock& clock, SessionBudget::Share& share, Peer peer);
    ~HttpSession();
    HttpSession(const HttpSession&) = delete;
    HttpSession& operator=(const HttpSession&) = delete;

    /// Octets that came; any number of them is taken, but wants_input() says when to stop reading.
    void receive(std::string_view bytes);
    /// The client will send no more.
    void end_of_input();

    /// An answer without end is under way: where the client is gone, nothing else would end it before its next filler.
    [[nodiscard]] bool is_endless() const;

    /// The connection is gone: all its exchanges are notified.
    void connection_lost();
    /// Nothing of a request has come, and no answer is owed.
    [[nodiscard]] bool is_idle() const;
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
    [[nodiscard]] std::string_view output() const;
    void written(std::size_t count);

    [[nodiscard]] bool wants_input() const;
    /// Octets to read at once.
    [[nodiscard]] std::size_t read_bytes_max() const;
    /// Octets of room that the session waits for; 0: it does not wait. look_again() once there is
    /// as much.
    [[nodiscard]] std::size_t wanted_room() const;
    void look_again();
    /// The last answer has left: the writing side may be shut down.
    [[nodiscard]] bool output_ended() const;
    /// Everything was said, or the client is beyond help: close.
    [[nodiscard]] bool finished() const;

    [[nodiscard]] SteadyTime deadline() const;
    /// Acts on deadlines that have passed.
    void step(SteadyTime now);

private:
    friend class HttpExchange;
    class Core;
    std::unique_ptr<Core> core_;
};

}  // namespace smsrack::wire
