/// [dedup], [messages] and [inbox]: what is remembered, and how long.
#pragma once

#include "src/config/field.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace smsrack::config {

struct DedupSettings {
    seconds window{0};
    std::string rebuild_at = "03:30";
    std::int64_t cache_mib = 256;

    static constexpr auto fields = std::tuple{
        field("window_s", &DedupSettings::window, range(0, 2'678'400),
              "same number and text within this time is refused; 0: off"),
        field("rebuild_at", &DedupSettings::rebuild_at, form(Form::time_of_day),
              "when the triggers' filters are rebuilt each day, UTC"),
        field("cache_mib", &DedupSettings::cache_mib, range(1, 65'536),
              "memory for confirmed pairs of all triggers; 4 to 9 octets a pair"),
    };
};

struct RetentionSettings {
    days keep{90};
    std::optional<days> anonymise = {};

    static constexpr auto fields = std::tuple{
        field("keep_days", &RetentionSettings::keep, range(1, 36'500),
              "older rows in a final state are removed"),
        field("anonymise_days", &RetentionSettings::anonymise, range(1, 36'500),
              "older ones lose number and text; absent: never"),
    };
};

}  // namespace smsrack::config
