/// How long a box waits for its engine, and the engine for a box: all shorter than the lease.
///
/// A box that vanishes must not hold the fence for longer, or no other box could take its work.
#pragma once

#include <chrono>

namespace smsrack::postgres {

struct EngineTimes {
    std::chrono::milliseconds connect{};    ///< for one host
    std::chrono::milliseconds statement{};  ///< of the engine, for one call
    std::chrono::milliseconds lock{};       ///< of the engine, for one row that another box holds
    std::chrono::milliseconds idle{};       ///< of the engine, within an open transaction
    std::chrono::milliseconds
        unreachable{};                      ///< of both ends, for octets that are not acknowledged
    std::chrono::milliseconds answer{};     ///< of the box, for what it has sent
    std::chrono::milliseconds pause_min{};  ///< between two attempts to connect; it doubles
    std::chrono::milliseconds pause_max{};

    /// `lease`: [cluster] lease_s.
    [[nodiscard]] static constexpr EngineTimes of(std::chrono::milliseconds lease) {
        return {.connect = lease / 5,
                .statement = lease / 3,
                .lock = lease / 4,
                .idle = lease / 5,
                .unreachable = lease / 3,
                .answer = lease * 2 / 3,
                .pause_min = std::chrono::milliseconds(100),
                .pause_max = lease / 5};
    }
};

}  // namespace smsrack::postgres
