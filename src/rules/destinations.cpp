#include "src/rules/destinations.hpp"

#include "src/rules/premium.hpp"

#include <algorithm>

namespace smsrack::rules {
namespace {

/// The length of the longest prefix that fits; nullopt if none fits.
std::optional<std::size_t> longest(const std::vector<std::string>& prefixes, std::string_view to) {
    std::optional<std::size_t> length;
    for (const std::string& prefix : prefixes) {
        if (to.starts_with(prefix)) {
            length = std::max(length.value_or(0), prefix.size());
        }
    }
    return length;
}

}  // namespace

std::optional<Refusal> refused_destination(const DestinationRules& rules, std::string_view to) {
    const auto allowed = longest(rules.allow, to);
    const auto denied = longest(rules.deny, to);
    if (denied && (!allowed || *denied >= *allowed)) {
        return Refusal{
            .rule = Rule::deny,
            .sentence = "[destinations] deny has \"" + std::string(to.substr(0, *denied)) + "\""};
    }
    if (!allowed && !rules.allow.empty()) {
        return Refusal{.rule = Rule::allow,
                       .sentence = "[destinations] allow has no prefix of this number"};
    }
    const PremiumRange* const range = rules.premium ? premium_range(to) : nullptr;
    if (range != nullptr && allowed.value_or(0) < range->pattern.size()) {
        return Refusal{.rule = Rule::premium,
                       .sentence = std::string(range->pattern) + " is " + std::string(range->what) +
                                   " (" + std::string(range->where) +
                                   "); [destinations] allow or premium lets it through"};
    }
    return std::nullopt;
}

}  // namespace smsrack::rules
