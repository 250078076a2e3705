/// Reads a JSON object member by member, without building it: for requests, where each member has
/// its own type and each mistake its own error.
///
/// Members of an object inside are named "ports.dst"; that is as deep as it goes.
/// Errors:  bad_request or bad_encoding, with the member's name first in `context`.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace smsrack::wire {

struct JsonNull {};
struct JsonList {};  ///< a list, whatever is in it
using JsonScalar = std::variant<JsonNull, bool, std::int64_t, double, std::string, JsonList>;

/// Called once for each member, in their order; its error ends the reading.
using MemberReader = std::function<Result<>(std::string_view name, JsonScalar& value)>;

/// `text` is one object in valid UTF-8, at most `members_max` members, none of them twice.
inline constexpr std::size_t members_max = 64;
[[nodiscard]] Result<> read_members(std::string_view text, const MemberReader& reader);

/// The same into `value`: `set(value, name, scalar)` takes each member.
template <typename T, typename Set>
[[nodiscard]] Result<T> read_into(T value, std::string_view text, Set set) {
    auto read = read_members(text, [&](std::string_view name, JsonScalar& scalar) -> Result<> {
        return set(value, name, scalar);
    });
    return read ? Result<T>(std::move(value)) : std::unexpected(std::move(read.error()));
}

}  // namespace smsrack::wire
