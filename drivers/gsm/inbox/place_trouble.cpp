#include "drivers/gsm/inbox/place_trouble.hpp"

#include "src/base/hash.hpp"

#include <algorithm>
#include <iterator>

namespace smsrack::gsm {

PlaceTrouble::Count PlaceTrouble::add(Place place, std::string_view text) {
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

bool PlaceTrouble::has(Place place) const {
    return std::ranges::find(places_, place, &Entry::place) != places_.end();
}

std::vector<Place> PlaceTrouble::places() const {
    std::vector<Place> places;
    std::ranges::transform(places_, std::back_inserter(places), &Entry::place);
    return places;
}

void PlaceTrouble::over(Place place) {
    std::erase_if(places_, [&](const Entry& entry) { return entry.place == place; });
}

std::chrono::milliseconds PlaceTrouble::pause_after(int tries) {
    if (tries < quick_max) {
        return std::chrono::milliseconds::zero();
    }
    constexpr int doublings_max = 5;  // of pause_first: pause_max
    return std::min(pause_max, pause_first * (1 << std::min(tries - quick_max, doublings_max)));
}

}  // namespace smsrack::gsm
