/// How ports, waiting indications and places in a modem are written in a row.
///
/// They are stored: never change what a number means.
#pragma once

#include "src/sms/inbound.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::db {

[[nodiscard]] inline std::optional<std::int64_t> stored(const std::optional<PortAddress>& ports) {
    return ports ? std::optional(std::int64_t{ports->dst} * 65'536 + ports->src) : std::nullopt;
}

[[nodiscard]] inline std::optional<PortAddress> ports_of(std::optional<std::int64_t> column) {
    if (!column) {
        return std::nullopt;
    }
    return PortAddress{.dst = static_cast<std::uint16_t>(*column / 65'536),
                       .src = static_cast<std::uint16_t>(*column % 65'536)};
}

inline constexpr std::int64_t places_of_memory = 65'536;

[[nodiscard]] inline std::optional<std::int64_t> stored(const std::optional<HeldPlace>& place) {
    return place ? std::optional(static_cast<std::int64_t>(place->memory) * places_of_memory +
                                 place->index)
                 : std::nullopt;
}

[[nodiscard]] inline std::optional<HeldPlace> place_of(std::optional<std::int64_t> column) {
    if (!column) {
        return std::nullopt;
    }
    return HeldPlace{.memory = static_cast<HeldIn>(*column / places_of_memory),
                     .index = static_cast<std::uint16_t>(*column % places_of_memory)};
}

inline constexpr int waiting_active = 4;  ///< in addition to the number of WaitingWhere

[[nodiscard]] inline std::optional<int> stored(const std::optional<Waiting>& waiting) {
    return waiting ? std::optional(static_cast<int>(waiting->where) +
                                   (waiting->active ? waiting_active : 0))
                   : std::nullopt;
}

[[nodiscard]] inline std::optional<Waiting> waiting_of(std::optional<int> column) {
    if (!column) {
        return std::nullopt;
    }
    return Waiting{.where = static_cast<WaitingWhere>(*column % waiting_active),
                   .active = *column >= waiting_active};
}

}  // namespace smsrack::db
