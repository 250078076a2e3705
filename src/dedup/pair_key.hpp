/// The pair (number, topic), for which there is at most one message.
///
/// Unit:    a number is its E.164 digits read as an integer, so below 10^15; a topic is its number in the store.
/// Source:  [Welcome]; E.164 (at most 15 digits, the first not 0).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::dedup {

inline constexpr std::uint64_t number_end = 1'000'000'000'000'000;  ///< every number is below
inline constexpr std::uint32_t topics_max = 16'384;                 ///< every topic is below

struct PairKey {
    std::uint64_t number = 0;
    std::uint32_t topic = 0;
    friend constexpr auto operator<=>(const PairKey&, const PairKey&) = default;
};

/// Whether filters and caches take it; code that reads pairs from a disk asks first.
[[nodiscard]] constexpr bool is_pair(const PairKey& pair) {
    return pair.number != 0 && pair.number < number_end && pair.topic < topics_max;
}

/// "+33612345678" as 33612345678; nothing for a short code or whatever else is not "+" and 1 to 15
/// digits of which the first is not 0.
[[nodiscard]] std::optional<std::uint64_t> pair_number(std::string_view e164);

/// For containers of pairs that no outsider chooses: it has no key. The filters have their own.
struct PairKeyHash {
    [[nodiscard]] std::size_t operator()(const PairKey& pair) const noexcept {
        return static_cast<std::size_t>(bits(pair));
    }
    /// All 64, also where a size has fewer.
    [[nodiscard]] static std::uint64_t bits(const PairKey& pair) noexcept {
        std::uint64_t mixed = (pair.number | std::uint64_t{pair.topic} << 50U);
        mixed = (mixed ^ (mixed >> 32U)) * 0xD6E8FEB86659FD93U;
        mixed = (mixed ^ (mixed >> 32U)) * 0xD6E8FEB86659FD93U;
        return mixed ^ (mixed >> 32U);
    }
};

}  // namespace smsrack::dedup
