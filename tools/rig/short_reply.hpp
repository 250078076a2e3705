/// Reads the status of a short HTTP answer with Content-Length as cheaply as possible.
///
/// For the load alone: everything else uses the whole parser of tools/client.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace smsrack::rig {

struct ShortReply {
    int status = 0;        ///< 0: no HTTP answer at all
    std::size_t size = 0;  ///< octets of head and body
};

/// Nothing while it is not whole.
[[nodiscard]] std::optional<ShortReply> read_short_reply(std::string_view octets);

}  // namespace smsrack::rig
