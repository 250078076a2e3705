#include "tools/smsrack/pages.hpp"

#include "tools/smsrack/json_fields.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::cli {

Outcome<std::string> each_of_pages(Service& service, const std::string& target, const char* member,
                                   std::uint64_t limit,
                                   const std::function<void(const wire::Json&)>& item) {
    constexpr std::uint64_t page_max = 1'000;  // what the API gives at once
    std::string cursor;
    for (std::uint64_t left = limit; left > 0;) {
        const std::uint64_t wanted = std::min(left, page_max);
        const std::string from = cursor.empty() ? "" : "&cursor=" + client::percent_encoded(cursor);
        const auto page = service.get(fmt::format("{}limit={}{}", target, wanted, from));
        if (!page) {
            return std::unexpected(page.error());
        }
        const wire::Json& items = array_of(*page, member);
        std::ranges::for_each(items, item);
        left -= std::min<std::uint64_t>(left, items.size());
        cursor = text_of(*page, "next");
        if (cursor.empty() || items.empty()) {
            break;
        }
    }
    return cursor;
}

}  // namespace smsrack::cli
