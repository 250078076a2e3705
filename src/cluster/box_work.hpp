/// How much work a box has, as it says it to the others for the scaling of the fleet.
///
/// Unit:    messages per second; shares 0..1.
/// Threads: any; values.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cluster {

struct BoxWork {
    double sent = 0;                       ///< by its modems
    double asked = 0;                      ///< of it by clients
    double busy = 0;                       ///< mean share of its modems that can send
    std::optional<double> forecast = {};   ///< what clients will ask of it
    std::vector<std::string> groups = {};  ///< in which it has a modem that can send
    /// Messages and orders that are lost or late if it is switched off now.
    std::int64_t own = 0;
    std::string stays = {};  ///< why it must not be parked, in a word; empty: it may be
    std::int64_t seen = 0;   ///< number of the newest decision that it knew
};

[[nodiscard]] std::string form_of(const BoxWork& work);
/// Errors: bad_request: it is not what a box has written.
[[nodiscard]] Result<BoxWork> read_box_work(std::string_view form);

/// What is written down with a decision.
struct DecisionForm {
    std::string words = {};
    bool wakes = false;  ///< the box was off, and is switched on
};

[[nodiscard]] std::string form_of(const DecisionForm& decision);
[[nodiscard]] Result<DecisionForm> read_decision(std::string_view form);

}  // namespace smsrack::cluster
