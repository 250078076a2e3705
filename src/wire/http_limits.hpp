/// The bounds of one HTTP session, each with its reason. SessionBudget bounds all sessions together.
///
/// Unit:    octets, unless a name says otherwise.
#pragma once

#include "src/wire/http1.hpp"

#include <chrono>
#include <cstddef>

namespace smsrack::wire {

struct HttpLimits {
    Http1Limits head = {};
    std::size_t body_bytes_max = 64UL * 1024;  ///< of a single body: docs/api.md, "Bodies"
    std::size_t in_flight_max = 64;  ///< requests of one connection in the handler's hands
    /// Unsent answers that stop the reading of further requests.
    std::size_t output_bytes_max = 256UL * 1024;
    /// The same while a body streams: some clients read only at its end.
    std::size_t stream_output_bytes_max = 8u << 20;
    /// An answer of more is begun when all before it were taken.
    std::size_t large_answer_bytes = 64UL * 1024;
    std::size_t read_bytes_min = 1024;          ///< with less room nothing is read
    std::size_t read_bytes_max = 16UL * 1024;   ///< at once: then it is another connection's turn
    std::size_t grow_bytes_min = 128UL * 1024;  ///< room for a stream that continues: one batch
    /// Read and dropped after a refusal, so that the client sees it.
    std::size_t discard_bytes_max = 64u << 20;
    std::chrono::seconds head_time{10};   ///< from the first octet of a head to its last
    std::chrono::seconds body_time{30};   ///< the longest pause in a body
    std::chrono::seconds body_grace{10};  ///< and a body that is not streamed comes in that time,
    std::size_t body_rate_min = 1024;     ///< plus a second for this many octets
    std::chrono::seconds idle_time{300};  ///< between requests; local clients keep their connection
    std::chrono::seconds write_time{30};  ///< the longest pause of a client that takes nothing
    std::chrono::seconds room_time{10};   ///< a request that waits longer for room is refused: 503
    std::chrono::seconds discard_time{5};
};

}  // namespace smsrack::wire
