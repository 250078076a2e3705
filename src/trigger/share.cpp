#include "src/trigger/share.hpp"

#include "src/base/hash.hpp"

#include <algorithm>
#include <cmath>

namespace smsrack::trigger {

bool in_share(double share, std::string_view tag, std::int64_t number) {
    if (share >= 1) {
        return true;
    }
    const std::uint64_t hash = hash64(std::to_string(number) + ":" + std::string(tag));
    constexpr int kept_bits = 53;  // what a double holds
    return std::ldexp(static_cast<double>(hash >> (64 - kept_bits)), -kept_bits) < share;
}

std::size_t TagShares::place_of(std::string_view tag) const {
    return static_cast<std::size_t>(std::ranges::find(by_tag_, tag, &TagShare::tag) -
                                    by_tag_.begin());
}

}  // namespace smsrack::trigger
