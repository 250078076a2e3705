// The places of a trigger's topics: what is read can be looked up, and what is wrong has its line.
#include "src/trigger/places.hpp"

#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace smsrack::fuzz {

int fuzz_places(Octets input) {
    const std::string_view text = text_of(input);
    const auto places = trigger::Places::parse(text);
    if (!places) {
        SMSRACK_CHECK(places.error().code == Errc::bad_config);
        SMSRACK_CHECK(places.error().context.starts_with("line "));
    } else {
        SMSRACK_CHECK(places->cells() + places->circles() >= places->topics().size());
        SMSRACK_CHECK(!places->topics().empty());
        for (const double lat : {-90.0, 0.0, 48.85, 90.0}) {
            const std::string* const topic = places->of_point({lat, 2.35});
            SMSRACK_CHECK(topic == nullptr || !topic->empty());
        }
    }
    // The same octets as an event may say them.
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view rest = text.substr(std::min(comma + 1, text.size()));
    if (const auto point = trigger::map_point(text.substr(0, comma), rest)) {
        SMSRACK_CHECK(point->lat >= -90 && point->lat <= 90);
        SMSRACK_CHECK(point->lon >= -180 && point->lon <= 180);
        SMSRACK_CHECK(trigger::distance_km(*point, *point) == 0);
    }
    if (places) {
        (void)places->of_cell(rest);
    }
    return 0;
}

}  // namespace smsrack::fuzz
