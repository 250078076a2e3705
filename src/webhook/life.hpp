/// The states of a webhook, as a table.
///
/// A pair that is not in the table has no effect. An example is a success that was under way when the
/// webhook was switched off.
/// Source:  docs/webhooks.md.
#pragma once

#include "src/base/state_table.hpp"
#include "src/ports/webhook_store.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace smsrack::webhook {

using State = ports::WebhookState;

enum class Happened : std::uint8_t {
    failed_often,  ///< failures_limit attempts in a row failed
    succeeded,
    gone,          ///< the receiver answered 410
    switched_on,   ///< by an operator
    switched_off,  ///< likewise
};

using StateRule = Rule<State, Happened>;
inline constexpr std::array state_rules{
    StateRule{State::open, Happened::failed_often, State::failing},
    StateRule{State::failing, Happened::succeeded, State::open},
    StateRule{State::open, Happened::gone, State::off},
    StateRule{State::failing, Happened::gone, State::off},
    StateRule{State::open, Happened::switched_on, State::open},
    StateRule{State::failing, Happened::switched_on, State::open},
    StateRule{State::off, Happened::switched_on, State::open},
    StateRule{State::open, Happened::switched_off, State::off},
    StateRule{State::failing, Happened::switched_off, State::off},
    StateRule{State::off, Happened::switched_off, State::off},
};
static_assert(!next(state_rules, State::off, Happened::succeeded));

/// From this many failures in a row on, only one attempt at a time is in flight.
inline constexpr std::uint32_t failures_limit = 5;

/// Where it leads, if the table has the pair. `reason`: kept while it is not open.
void apply(ports::WebhookLife& life, Happened happened, WallTime now, std::string_view reason);

}  // namespace smsrack::webhook
