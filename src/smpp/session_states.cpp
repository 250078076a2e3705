#include "src/smpp/session_states.hpp"

#include "src/base/check.hpp"

#include <algorithm>

namespace smsrack::smpp {
namespace {

struct Right {
    Command request;
    bool open;
    bool transmitter;
    bool receiver;
    bool unbinding;
};

/// 2.3; data_sm is a submit here, so a receiver has no use for it.
constexpr std::array rights{
    Right{Command::bind_receiver, true, false, false, false},
    Right{Command::bind_transmitter, true, false, false, false},
    Right{Command::bind_transceiver, true, false, false, false},
    Right{Command::submit_sm, false, true, false, false},
    Right{Command::submit_multi, false, true, false, false},
    Right{Command::data_sm, false, true, false, false},
    Right{Command::query_sm, false, true, false, false},
    Right{Command::cancel_sm, false, true, false, false},
    Right{Command::replace_sm, false, true, false, false},
    Right{Command::unbind, false, true, true, true},  // both sides may ask at once
    Right{Command::enquire_link, true, true, true, true},
    // Only a message centre sends these.
    Right{Command::deliver_sm, false, false, false, false},
    Right{Command::outbind, false, false, false, false},
};

bool allows(const Right& right, SessionState state) {
    switch (state) {
        case SessionState::open:
            return right.open;
        case SessionState::bound_tx:
            return right.transmitter;
        case SessionState::bound_rx:
            return right.receiver;
        case SessionState::bound_trx:
            return right.transmitter || right.receiver;
        case SessionState::unbinding:
            return right.unbinding;
        case SessionState::closed:
            break;
    }
    return false;
}

bool is_bound(SessionState state) {
    return state == SessionState::bound_tx || state == SessionState::bound_rx ||
           state == SessionState::bound_trx;
}

}  // namespace

Status refusal_of(Command request, SessionState state) {
    SMSRACK_CHECK(!is_answer(request));
    const auto* const right = std::ranges::find(rights, request, &Right::request);
    if (right == rights.end()) {
        return Status::invalid_command_id;
    }
    if (allows(*right, state)) {
        return Status::ok;
    }
    // Only a bind is allowed in `open` and refused afterwards.
    return right->open && is_bound(state) ? Status::already_bound : Status::wrong_bind_state;
}

}  // namespace smsrack::smpp
