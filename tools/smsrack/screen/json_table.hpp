/// Shows objects of the API as tables without knowing all their members: the named ones come first,
/// the others follow by name.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/screen/time_style.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

/// The members that are no containers. Times (`..._at`, `at`) are shortened.
[[nodiscard]] std::vector<Pair> pairs_of(const wire::Json& object,
                                         std::span<const std::string_view> first,
                                         const TimeStyle& times = TimeStyle{});

/// One row for each object of `array`; a column for each member that one of them has. Those not named in `first` are
/// left out first where the terminal is too narrow.
[[nodiscard]] Table table_of(const wire::Json& array, std::span<const std::string_view> first,
                             const TimeStyle& times = TimeStyle{});

}  // namespace smsrack::cli
