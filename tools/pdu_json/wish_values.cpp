#include "tools/pdu_json/wish_values.hpp"

#include "tools/pdu_json/hex.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace smsrack::tools {

std::optional<std::int64_t> number_in(const wire::Json& value, std::int64_t low,
                                      std::int64_t high) {
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
        return std::nullopt;
    }
    if (!value.is_number_integer()) {
        return std::nullopt;
    }
    const auto number = value.get<std::int64_t>();
    return number >= low && number <= high ? std::optional(number) : std::nullopt;
}

bool take_bool(const wire::Json& value, bool& out) {
    if (value.is_boolean()) {
        out = value.get<bool>();
    }
    return value.is_boolean();
}

std::optional<std::vector<std::uint8_t>> octets_in(const wire::Json& value) {
    std::vector<std::uint8_t> octets;
    if (!value.is_string() ||
        read_hex(value.get_ref<const std::string&>(), octets) != std::string_view::npos) {
        return std::nullopt;
    }
    return octets;
}

bool has_only(const wire::Json& object, std::initializer_list<std::string_view> names) {
    return std::all_of(object.items().begin(), object.items().end(), [&](const auto& item) {
        return std::ranges::find(names, std::string_view(item.key())) != names.end();
    });
}

}  // namespace smsrack::tools
