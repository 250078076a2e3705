/// The queue M/M/c: one queue, c equal servers, random arrivals and service times.
///
/// Unit:    rates per second, times in seconds, probabilities 0..1.
/// Errors:  bad_request where a rate is not above 0 or finite, there is no server, or the load is
///          not below the servers' power (lambda >= servers * mu): such a queue grows without end.
/// Source:  [SMSEngine]; Erlang C by the recursion of Erlang B, which is stable for thousands of
///          servers.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>

namespace smsrack::model {

struct MmcLoad {
    double lambda = 0;          ///< arrivals per second
    double mu = 0;              ///< served per second by one server
    std::uint32_t servers = 0;  ///< c, 1 .. servers_max
};

/// Bounds the recursion to some milliseconds.
inline constexpr std::uint32_t servers_max = 1'000'000;

struct MmcFigures {
    double rho = 0;     ///< share of time that a server is busy
    double p0 = 0;      ///< the system is empty
    double p_wait = 0;  ///< an arrival must wait (Erlang C)
    double lq = 0;      ///< waiting, on average
    double ls = 0;      ///< waiting or in service, on average
    double wq = 0;      ///< mean wait
    double ws = 0;      ///< mean wait and service
};

[[nodiscard]] Result<MmcFigures> mmc(const MmcLoad& load);

/// The fewest servers whose mean wait Wq is at most `target_wait` seconds.
/// Errors: bad_request where the target is not above 0, or more than servers_max would be needed.
[[nodiscard]] Result<std::uint32_t> servers_needed(double lambda, double mu, double target_wait);

}  // namespace smsrack::model
