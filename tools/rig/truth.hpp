/// Compares what the service reports of its messages with what the simulated network received.
///
/// Unit:    messages of one segment, each to a number of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::rig {

/// A message as the service reports it at the end.
struct ToldMessage {
    std::string id = {};
    std::string to = {};
    std::string state = {};  ///< as in the API
    bool unknown = false;    ///< failed since its outcome is unknown
};

struct Truth {
    std::size_t sent = 0;     ///< sent, delivered or undelivered, and the network got it once
    std::size_t refused = 0;  ///< failed, and the network did not get it
    std::vector<std::string> unknown = {};  ///< ids: outcome unknown, and it was not sent again
    std::vector<std::string> lost = {};     ///< ids: not ended, or said to be sent and never was
    std::vector<std::string> twice = {};    ///< ids: the network got it more than once
    std::vector<std::string> denied = {};   ///< ids: said to have failed, and was sent
};

/// `taken`: how often the network took a message to each number.
[[nodiscard]] Truth compare(const std::vector<ToldMessage>& told,
                            const std::map<std::string, unsigned>& taken);

/// What became of messages received, each with a text of its own.
struct ReceivedTruth {
    std::size_t kept = 0;                 ///< in the inbox, once
    std::vector<std::string> lost = {};   ///< texts: came, and are not there
    std::vector<std::string> twice = {};  ///< texts: there more than once
};

/// `came`: the texts that modems got; `inbox`: those that are there.
[[nodiscard]] ReceivedTruth compare_received(const std::vector<std::string>& came,
                                             const std::vector<std::string>& inbox);

}  // namespace smsrack::rig
