/// Compares what the service says of its messages with what the simulated network got.
///
/// Unit:    messages, but for `twice`: segments.
/// Threads: one; when nothing is under way any more.
#pragma once

#include "tests/support/rack.hpp"

#include <span>
#include <string>

namespace smsrack::test {

struct Account {
    int lost = 0;         ///< `sent` or `delivered`, and the network has not all of it
    int twice = 0;        ///< segments that the network got more than once
    int unexplained = 0;  ///< not ended, or ended without a reason that holds
    int unknown = 0;      ///< outcome_unknown: may or may not have been sent, never sent again
    int reported = 0;     ///< delivered
};

/// A message, and the number that no other message of the test goes to.
struct Audited {
    std::string id;
    std::string to;
};

[[nodiscard]] Account audit(const Rack& rack, std::span<const Audited> messages);

}  // namespace smsrack::test
