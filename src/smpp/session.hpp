/// A session with an ESME: octets in, octets out, and the next deadline. It uses no sockets.
///
/// It answers by itself what needs no one else: enquire_link, unbind, and what is no PDU or not allowed.
/// The rest is its owner's, who answers in any order.
/// Bound:   one PDU that has not come as a whole, before the bind stranger_octets_max; `window` requests without an answer. The owner bounds what it
///          delivers.
/// Time:    steady time, given with each call.
/// Threads: one. The owner must not destroy it in a call of its own.
/// Source:  SMPP 3.4 2, 3.2, 7.2 (timers)
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/smpp/frame.hpp"
#include "src/smpp/pdu.hpp"
#include "src/smpp/session_states.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::smpp {

struct SessionTimes {
    std::chrono::seconds enquire{30};   ///< of silence, until it asks whether the ESME is there
    std::chrono::seconds response{60};  ///< for the answer to a deliver_sm
    std::chrono::seconds bind{10};      ///< from the connection to the bind
    std::chrono::seconds pdu{30};       ///< from its first octet to its last
    std::chrono::seconds refusal{1};    ///< until a wrong bind is answered
    std::chrono::seconds unbind{5};     ///< for the answer to our unbind
};

/// Octets of a PDU that has begun, before the bind.
inline constexpr std::size_t stranger_octets_max = 4'096;

class SessionOwner : public Interface {
public:
    /// Answered by Session::bound() or refuse_bind(), later.
    virtual void bind_asked(Command kind, Bind bind) = 0;
    /// A request that the session may send; answered by Session::answer(), now or later.
    virtual void asked(Pdu request) = 0;
    /// To a deliver_sm; nullopt: none came in time.
    virtual void delivered(std::uint32_t sequence, std::optional<Status> answer) = 0;
    /// A request of the ESME was answered so.
    virtual void told(Command request, Status status) = 0;
};

class Session {
public:
    /// `owner` outlives the session.
    Session(SessionOwner& owner, const SessionTimes& times, SteadyTime now);

    void receive(std::string_view octets, SteadyTime now);
    /// What to write since the last call.
    [[nodiscard]] std::string take_output();

    /// The bind that was asked is granted: `window` requests may be without an answer.
    void bound(std::uint32_t window, SteadyTime now);
    /// For what is asked from now on.
    void set_window(std::uint32_t window) { window_ = window; }
    /// It is refused, after a while, so that a program cannot try many passwords.
    void refuse_bind(SteadyTime now);

    /// Answers a request that was asked().
    void answer(const Header& request, Status status, Body body = {});

    /// Sends a deliver_sm; gives its sequence number. can_deliver() must be true.
    [[nodiscard]] std::uint32_t deliver(Message message, SteadyTime now);
    [[nodiscard]] bool can_deliver() const;

    /// Takes nothing more, answers what is in flight, and says goodbye.
    void unbind(SteadyTime now);
    /// The connection is lost.
    void end();

    [[nodiscard]] SessionState state() const { return state_; }
    /// Everything is said: the connection may be closed when it has left.
    [[nodiscard]] bool is_over() const { return state_ == SessionState::closed; }
    [[nodiscard]] SteadyTime deadline() const;
    /// Acts on deadlines that have passed.
    void step(SteadyTime now);

    /// Requests of the ESME without an answer.
    [[nodiscard]] std::size_t owed() const { return owed_; }
    /// deliver_sm without an answer.
    [[nodiscard]] std::size_t delivering() const { return delivering_.size(); }

private:
    bool apply(SessionEvent event);
    void take(std::string_view frame, SteadyTime now);
    void take_answer(const Pdu& pdu);
    void take_request(Pdu pdu);
    void take_bind(Pdu pdu);
    void take_unbind(const Header& header);
    void refuse(const Header& header, Status status);
    void put(Command command, Status status, std::uint32_t sequence, Body body = {});
    void ask(Command command);
    void expire_deliveries(SteadyTime now);
    void drained_if_done();

    SessionOwner& owner_;
    const SessionTimes times_;
    Frames frames_;
    std::string output_;
    SessionState state_ = SessionState::open;
    std::optional<Header> bind_;    // asked and not answered
    std::optional<Header> unbind_;  // likewise
    SteadyTime bind_by_;
    SteadyTime refuse_at_ = never;
    SteadyTime pdu_by_ = never;
    SteadyTime enquire_at_ = never;  // never: not bound yet
    SteadyTime unbind_by_ = never;
    bool said_goodbye_ = false;
    int silent_ = 0;  // enquire_link without an answer
    std::uint32_t window_ = 0;
    std::size_t owed_ = 0;                            // <= window_, but for one that was lowered
    std::uint32_t sequence_ = 0;                      // of our last request
    std::map<std::uint32_t, SteadyTime> delivering_;  // when each is given up
};

}  // namespace smsrack::smpp
