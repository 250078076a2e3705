/// Counts wrong tokens by address: an address that shows many gets no further try for a while.
///
/// Bound:   addresses_max addresses; when there are more, those whose minute is over are forgotten, then the oldest.
/// Time:    steady time, given with each call.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace smsrack::gate {

class WrongTokens {
public:
    static constexpr int wrong_max = 10;  ///< in a minute
    static constexpr std::chrono::seconds minute{60};
    static constexpr std::size_t addresses_max = 4'096;

    /// One was shown from this network. True: from now on the network must wait.
    bool add(std::uint32_t network, SteadyTime now);

    /// How long this network must wait; nullopt: it need not.
    [[nodiscard]] std::optional<std::chrono::seconds> wait_of(std::uint32_t network,
                                                              SteadyTime now) const;

private:
    struct Count {
        SteadyTime since = {};
        int wrong = 0;
    };

    std::unordered_map<std::uint32_t, Count> networks_;
};

}  // namespace smsrack::gate
