/// The life of a session with an ESME, and what the ESME may ask in each state.
///
/// A pair of state and event that is not in the table changes nothing; the caller counts and logs it.
/// Source:  SMPP 3.4 2.2, 2.3.
#pragma once

#include "src/base/state_table.hpp"
#include "src/smpp/command.hpp"
#include "src/smpp/status.hpp"

#include <array>
#include <cstdint>

namespace smsrack::smpp {

enum class SessionState : std::uint8_t {
    open,  ///< connected, not bound yet
    bound_tx,
    bound_rx,
    bound_trx,
    unbinding,  ///< answers what is in flight, takes nothing new
    closed,
};

enum class SessionEvent : std::uint8_t {
    bound_as_transmitter,
    bound_as_receiver,
    bound_as_transceiver,
    unbind_asked,  ///< by either side
    drained,       ///< the last PDU in flight is answered
    ended,         ///< the connection is lost, or a time is over
};

inline constexpr std::array session_rules{
    Rule{SessionState::open, SessionEvent::bound_as_transmitter, SessionState::bound_tx},
    Rule{SessionState::open, SessionEvent::bound_as_receiver, SessionState::bound_rx},
    Rule{SessionState::open, SessionEvent::bound_as_transceiver, SessionState::bound_trx},
    Rule{SessionState::open, SessionEvent::ended, SessionState::closed},
    Rule{SessionState::bound_tx, SessionEvent::unbind_asked, SessionState::unbinding},
    Rule{SessionState::bound_tx, SessionEvent::ended, SessionState::closed},
    Rule{SessionState::bound_rx, SessionEvent::unbind_asked, SessionState::unbinding},
    Rule{SessionState::bound_rx, SessionEvent::ended, SessionState::closed},
    Rule{SessionState::bound_trx, SessionEvent::unbind_asked, SessionState::unbinding},
    Rule{SessionState::bound_trx, SessionEvent::ended, SessionState::closed},
    Rule{SessionState::unbinding, SessionEvent::drained, SessionState::closed},
    Rule{SessionState::unbinding, SessionEvent::ended, SessionState::closed},
};

/// The status that refuses `request` in `state`; ok if the ESME may send it.
///
/// `request` is no answer: an answer is matched with what it answers, in any state.
/// Errors:  invalid_command_id: no command that a session knows; its answer is a generic_nack.
///          already_bound: a second bind. wrong_bind_state: not in this state, or never by an ESME.
[[nodiscard]] Status refusal_of(Command request, SessionState state);

}  // namespace smsrack::smpp
