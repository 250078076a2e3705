/// A call whose `?box=` names another box of the fleet: that one answers it, and this one hands its answer on.
///
/// Time:    the letters of a fleet take tens of milliseconds each way, or seconds over a bad link.
/// Threads: loop thread.
#pragma once

#include "src/api/call.hpp"
#include "src/api/routes.hpp"
#include "src/ports/fleet.hpp"

#include <functional>

namespace smsrack::api {

/// True: another box answers the call. Otherwise it names none, or this one, and is answered here, without `box`. Also true
/// where that is refused: `box` is for the routes that have it, in a fleet.
[[nodiscard]] bool is_of_another_box(Call& call, const Route& route);

/// What is sent to it is the answer to another box. One that is too large is a refusal.
[[nodiscard]] wire::ResponderPtr answer_of_question(std::function<void(ports::BoxAnswer)> done);

}  // namespace smsrack::api
