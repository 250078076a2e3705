#include "src/api/search.hpp"

#include "src/api/query.hpp"
#include "src/pdu/alphabet/letters.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

constexpr std::size_t octets_max = 160;

Result<std::string> part_of(const wire::HttpRequest& request, std::string_view name) {
    const auto said = param(request, name);
    if (said && said->size() > octets_max) {
        return fail(Errc::bad_request, std::string(name) + ": longer than 160 octets");
    }
    std::string part = pdu::compared_text(said.value_or(""));
    if (said && part.find_first_not_of(' ') == std::string::npos) {
        return fail(Errc::bad_request, std::string(name) + ": nothing to search for");
    }
    return part;
}

/// The ways in which a number may have this part: as written, and with the country in place of the
/// trunk prefix. A part with a letter is of a sender's name.
std::vector<std::string> ways_of(std::string part, const NumberPlan& plan) {
    if (std::ranges::any_of(part, [](unsigned char c) { return c > '9'; })) {
        return {part};
    }
    std::erase_if(part, [](char c) { return std::string_view(" .-/()").contains(c); });
    std::vector<std::string> ways{part};
    if (!plan.country.empty() && !plan.trunk.empty() && part.starts_with(plan.trunk)) {
        ways.push_back(plan.country + part.substr(plan.trunk.size()));
    }
    return ways;
}

}  // namespace

Result<std::optional<ports::Wanted>> search_of(const Call& call) {
    auto of_number = part_of(call.request, "q");
    auto of_text = part_of(call.request, "contains");
    if (!of_number || !of_text) {
        return std::unexpected(of_number ? of_text.error() : of_number.error());
    }
    if (of_number->empty() && of_text->empty()) {
        return std::nullopt;
    }
    if (call.caller.masked) {
        return fail(Errc::forbidden,
                    "q, contains: this token may not see numbers and texts, so it can't search "
                    "for them");
    }
    auto ways =
        of_number->empty() ? std::vector<std::string>() : ways_of(*of_number, call.settings.plan);
    if (!ways.empty() && ways.front().empty()) {
        return fail(Errc::bad_request, "q: nothing to search for");
    }
    return [ways = std::move(ways), text = *std::move(of_text)](std::string_view of_row,
                                                                std::string_view text_of_row) {
        const bool has_number =
            ways.empty() ||
            std::ranges::any_of(ways, [name = pdu::compared_text(of_row)](const auto& way) {
                return name.contains(way);
            });
        return has_number && (text.empty() || pdu::compared_text(text_of_row).contains(text));
    };
}

}  // namespace smsrack::api
