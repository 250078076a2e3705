/// Generates inbound messages as bad as real ones: equal alarms in one second, centres without a
/// clock, panels that count no reference.
#pragma once

#include "src/base/random.hpp"
#include "tools/modem_model/modem_model.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace smsrack::days {

enum class IncomingKind : std::uint8_t { plain, equal_texts, dead_clock, one_reference, stop };
inline constexpr std::array<std::string_view, 5> incoming_names{
    "plain text came in", "equal texts came in", "dead clock came in", "one reference came in",
    "STOP came in"};

struct Incoming {
    IncomingKind kind = IncomingKind::plain;
    std::chrono::milliseconds later{0};  ///< than now
    modem_sim::Inbound message = {};     ///< without its id
};

/// One message, or some that belong together, of a sender of their own: `number`.
[[nodiscard]] std::vector<Incoming> draw_incoming(Random& random, std::uint64_t number);

/// A short one of a sender of its own, unlike those of draw_incoming().
[[nodiscard]] modem_sim::Inbound plain_incoming(std::uint64_t number);

}  // namespace smsrack::days
