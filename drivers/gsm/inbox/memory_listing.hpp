/// One list of a memory (+CMGL): which places are used.
///
/// It says where something is; what it is must be read there. A torn header may have the index of another
/// place, so the PDU behind it is not taken: erasing that place would destroy what was never read.
/// Bound:   places_max places.
/// Source:  3GPP TS 27.005 4.1.
#pragma once

#include "drivers/gsm/fields.hpp"
#include "drivers/gsm/inbox/inbox_shelf.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::gsm {

class MemoryListing {
public:
    void begin(Memory memory) {
        *this = {};
        memory_ = memory;
    }

    /// The place of a header line, if it holds something that was received.
    std::optional<Place> take(std::string_view header) {
        ++lines_;
        const auto index = number_field(header, 0);
        if (!index || *index < 0 || static_cast<std::size_t>(*index) >= places_max ||
            used_.test(static_cast<std::size_t>(*index))) {
            is_whole_ = false;  // one place is listed once
            return std::nullopt;
        }
        used_.set(static_cast<std::size_t>(*index));
        const bool received =
            number_field(header, 1).value_or(stat_received_last) <= stat_received_last;
        return received ? std::optional(Place{memory_, static_cast<std::uint16_t>(*index)})
                        : std::nullopt;
    }
    /// A line came that nothing explains.
    void spoil() { is_whole_ = false; }

    [[nodiscard]] bool is_whole() const { return is_whole_; }
    [[nodiscard]] int lines() const { return lines_; }
    /// The list says that this place is empty.
    [[nodiscard]] bool shows_empty(Place place) const {
        return place.memory == memory_ && !used_.test(place.index);
    }
    [[nodiscard]] std::vector<std::uint16_t> indexes() const {
        std::vector<std::uint16_t> indexes;
        for (std::size_t index = 0; index < places_max; ++index) {
            if (used_.test(index)) {
                indexes.push_back(static_cast<std::uint16_t>(index));
            }
        }
        return indexes;
    }

private:
    Memory memory_ = Memory::sm;
    std::bitset<places_max> used_ = {};
    int lines_ = 0;
    bool is_whole_ = true;
};

}  // namespace smsrack::gsm
