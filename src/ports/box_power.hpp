/// Wakes, parks and fences other boxes of the fleet: by a program of the operator, which this process does not start itself.
///
/// Time:    an order takes as long as the program, box_power_within at most, and then a moment.
/// Threads: any.
#pragma once

#include "src/base/interface.hpp"
#include "src/ports/command.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::ports {

enum class PowerOrder : std::uint8_t {
    wake,   ///< switch the box on
    park,   ///< switch it off; it was drained
    fence,  ///< make certain that it sends nothing more: cut its power, or its network
};
inline constexpr std::array<std::string_view, 3> power_order_names{"wake", "park", "fence"};

/// The program is ended after so long.
inline constexpr std::chrono::seconds box_power_within{60};

class BoxPower : public Interface {
public:
    /// False: no box is woken, parked or fenced from here.
    [[nodiscard]] virtual bool is_there() const = 0;

    /// `done` is called once, on any thread, unless this object ends before.
    /// Errors:  the program did not end with 0, or there is none; `context` says what it said last. bad_request: no
    ///          program gets such a name of a box.
    virtual void order(PowerOrder what, std::string box, Done<void> done) = 0;
};

}  // namespace smsrack::ports
