/// What the SMPP server tells of its accounts and sessions.
///
/// Bound:   accounts of the file, and those that have a session.
#pragma once

#include "firmware-host/gate/smpp/account_desk.hpp"
#include "src/smpp/account.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::gate {

using Desks = std::map<std::string, std::shared_ptr<AccountDesk>, std::less<>>;

/// Sessions of one account that a report lists.
inline constexpr std::size_t listed_sessions_max = 100;

/// Bodies for POST /v1/smpp/report, which together have all accounts, in order of the file.
[[nodiscard]] std::vector<std::string> smpp_report(const std::vector<smpp::Account>& accounts,
                                                   const Desks& desks);

/// Prometheus text.
[[nodiscard]] std::string smpp_metrics(const Desks& desks);

}  // namespace smsrack::gate
