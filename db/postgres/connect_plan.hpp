/// Where the engine may be: the hosts of a connection string, each with all that libpq needs.
///
/// One attempt goes to one host, since libpq's asynchronous connect has no timeout that moves on to the next host.
/// libpq chooses the primary (`target_session_attrs`), and finds passwords and certificates itself.
/// Errors:  bad_config: the string is not one of libpq.
#pragma once

#include "db/postgres/engine_times.hpp"
#include "db/postgres/pq_library.hpp"
#include "src/base/result.hpp"

#include <string>
#include <utility>
#include <vector>

namespace smsrack::postgres {

/// Keywords and values of libpq, of one host.
using ConnectValues = std::vector<std::pair<std::string, std::string>>;

/// Whether a box can use it. bad_config: also where libpq is not installed.
[[nodiscard]] Result<> check_conninfo(const std::string& conninfo);

/// The hosts of the string that are reached over IP: names or addresses.
[[nodiscard]] Result<std::vector<std::string>> ip_hosts(const std::string& conninfo);

/// In the order of the string; at least one. What a box relies on is set even where the string or the role has
/// another value.
[[nodiscard]] Result<std::vector<ConnectValues>> connect_plan(const PqLibrary& pq,
                                                              const std::string& conninfo,
                                                              const EngineTimes& times,
                                                              const std::string& box);

}  // namespace smsrack::postgres
