/// Keeps a row of each call that only an administrator may make and that changes something, with
/// what it was answered.
///
/// The row is handed to the store when the answer goes out, and the answer does not wait for it. The
/// store writes what it was handed before it ends. A row that the disk refuses is counted.
/// Threads: loop thread.
#pragma once

#include "src/api/call.hpp"
#include "src/api/routes.hpp"

#include <string>
#include <string_view>

namespace smsrack::api {

/// "DELETE /v1/optouts/+336*****678": the pattern of the route with its argument; a number is masked.
[[nodiscard]] std::string audited_call(const Route& route, std::string_view argument);

/// The same responder, or for a route that is audited one that keeps the row as well.
[[nodiscard]] wire::ResponderPtr audited(const ApiParts& parts, const Caller& caller,
                                         const Route& route, std::string_view argument,
                                         wire::ResponderPtr responder);

}  // namespace smsrack::api
