/// Writes and reads a HandOver as text and descriptors, for a socket or the file descriptor store
/// of systemd.
///
/// JSON, so that the two ends need not be built from the same sources; texts and octets are
/// hexadecimal. A descriptor is in the text as its index in the list.
/// Errors:  protocol: the text is cut off, is of another protocol, or lacks a member (its path is named).
#pragma once

#include "drivers/serial/owned_fd.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::host {

/// Both ends must have the same. It goes up with each change of what a HandOver holds, but for one that an older text can do
/// without: a later member (src/base/members.hpp), and further kinds at the end of an array of counters.
/// So the version before this one leaves its lines to this one; the way back is a restart.
inline constexpr int hand_over_protocol = 1;

struct HandOverText {
    std::string text = {};
    std::vector<int> descriptors = {};  ///< still those of the HandOver
};

[[nodiscard]] HandOverText encode(const HandOver& hand_over);

/// Descriptors that the text does not name are closed.
[[nodiscard]] Result<HandOver> decode(std::string_view text,
                                      std::vector<serial::OwnedFd> descriptors);

}  // namespace smsrack::host
