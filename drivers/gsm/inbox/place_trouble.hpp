/// Places of the modem's memories that could not be read or erased, and how often in a row.
///
/// Bound:   places_max places; the one that had no trouble for longest is forgotten first, which costs it
///          only its count.
#pragma once

#include "drivers/gsm/inbox/inbox_shelf.hpp"
#include "src/base/hash.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
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
    Count add(Place place, std::string_view text) {
        Entry entry{.place = place};
        const auto known = std::ranges::find(places_, place, &Entry::place);
        if (known != places_.end()) {
            entry = *known;
            places_.erase(known);
        } else if (places_.size() == places_max) {
            places_.erase(places_.begin());
        }
        const std::uint64_t hash = text.empty() ? 0 : hash64(text);
        entry.count.equal = hash == 0 ? 0 : hash == entry.text_hash ? entry.count.equal + 1 : 1;
        entry.text_hash = hash;
        ++entry.count.tries;
        places_.push_back(entry);
        return entry.count;
    }
    [[nodiscard]] bool has(Place place) const {
        return std::ranges::find(places_, place, &Entry::place) != places_.end();
    }
    [[nodiscard]] std::vector<Place> places() const {
        std::vector<Place> places;
        std::ranges::transform(places_, std::back_inserter(places), &Entry::place);
        return places;
    }
    /// It was read, or is no longer there.
    void over(Place place) {
        std::erase_if(places_, [&](const Entry& entry) { return entry.place == place; });
    }
    void clear() { places_.clear(); }

    /// Before the place is tried again.
    [[nodiscard]] static std::chrono::milliseconds pause_after(int tries) {
        if (tries < quick_max) {
            return std::chrono::milliseconds::zero();
        }
        constexpr int doublings_max = 5;  // of pause_first: pause_max
        return std::min(pause_max, pause_first * (1 << std::min(tries - quick_max, doublings_max)));
    }

private:
    struct Entry {
        Place place = {};
        Count count = {};
        std::uint64_t text_hash = 0;
    };
    std::vector<Entry> places_;  // the latest last
};

}  // namespace smsrack::gsm
