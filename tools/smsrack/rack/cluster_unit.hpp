/// Lets the unit of the service reach the engine of its fleet, and nothing else.
///
/// The unit allows no IP at all; a box of a fleet has a part of the unit in
/// /etc/systemd/system/smsrackd.service.d/cluster.conf.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <set>
#include <string>
#include <string_view>

namespace smsrack::cli {

/// The part of the unit that allows these addresses.
[[nodiscard]] std::string unit_part(const std::set<std::string>& addresses);

/// The addresses of the lines `nameserver` in the text of /etc/resolv.conf.
[[nodiscard]] std::set<std::string> resolvers_in(std::string_view text);

/// Writes it as root where this machine has the unit; notes what a person must do otherwise. An engine behind a
/// Unix socket needs none.
/// Errors: a host of `conninfo` has no address; the file.
[[nodiscard]] Outcome<> let_service_reach(const std::string& conninfo, Context& context);

}  // namespace smsrack::cli
