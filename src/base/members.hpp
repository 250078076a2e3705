/// The members of a struct and their names, for a text that another version of the program writes or reads.
///
/// A struct lists them itself: SMSRACK_MEMBERS(name, place) gives it members(). The names are those of the text, so
/// they never change; SMSRACK_MEMBERS_NAMED gives others than the struct has. What is added later goes into
/// SMSRACK_LATER_MEMBERS: an older version does not write it, and it stays as it begins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>

namespace smsrack {

template <typename... Values>
struct Members {
    std::string_view names;  ///< "name, place"
    std::tuple<Values&...> values;
};

/// visit(name, member) for each, in their order.
template <typename... Values, typename Visit>
void for_each_member(const Members<Values...>& members, Visit visit) {
    std::string_view rest = members.names;
    const auto next = [&rest] {
        const std::string_view name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(name.size() + 2, rest.size()));
        return name;
    };
    std::apply([&](Values&... values) { (visit(next(), values), ...); }, members.values);
}

}  // namespace smsrack

#define SMSRACK_LIST(function, names, ...)                       \
    [[nodiscard]] auto function() {                              \
        return ::smsrack::Members{names, std::tie(__VA_ARGS__)}; \
    }                                                            \
    [[nodiscard]] auto function() const {                        \
        return ::smsrack::Members{names, std::tie(__VA_ARGS__)}; \
    }
#define SMSRACK_MEMBERS_NAMED(names, ...) SMSRACK_LIST(members, names, __VA_ARGS__)
#define SMSRACK_MEMBERS(...) SMSRACK_LIST(members, #__VA_ARGS__, __VA_ARGS__)
#define SMSRACK_LATER_MEMBERS(...) SMSRACK_LIST(later_members, #__VA_ARGS__, __VA_ARGS__)
