/// Places of the modem's memories that could not be read or erased, and how often in a row.
///
/// Bound:   places_max places; the one that had no trouble for longest is forgotten first, which costs it
///          only its count.
/// Threads: the line's thread.
#pragma once

#include "drivers/gsm/inbox/inbox_shelf.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace smsrack::gsm {

class PlaceTrouble {
public:
    static constexpr std::size_t places_max = 32;
    /// This many equal readings in a row are what the modem has.
    static constexpr int equal_max = 3;
    /// Torn ones that are read again at once; then the pause grows to pause_max.
    static constexpr int quick_max = 2;
    static constexpr std::chrono::milliseconds pause_first{500};
    static constexpr std::chrono::milliseconds pause_max{16'000};

    struct Count {
        int tries = 0;  ///< in a row, whatever went wrong
        int equal = 0;  ///< of them the last ones that gave the same text
    };

    /// One more. `text`: what was read; empty where the modem refused.
    Count add(Place place, std::string_view text);
    [[nodiscard]] bool has(Place place) const;
    [[nodiscard]] std::vector<Place> places() const;
    /// It was read, or is no longer there.
    void over(Place place);
    void clear() { places_.clear(); }

    /// Before the place is tried again.
    [[nodiscard]] static std::chrono::milliseconds pause_after(int tries);

private:
    struct Entry {
        Place place = {};
        Count count = {};
        std::uint64_t text_hash = 0;
    };
    std::vector<Entry> places_;  // the latest last
};

}  // namespace smsrack::gsm
