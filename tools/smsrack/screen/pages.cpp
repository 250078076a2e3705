#include "tools/smsrack/screen/pages.hpp"

#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <CLI/CLI.hpp>

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
        if (cursor.empty()) {
            break;
        }
    }
    return cursor;
}

std::string query(std::string_view path,
                  std::initializer_list<std::pair<const char*, std::string>> parts) {
    std::string target = fmt::format("{}?", path);
    for (const auto& [name, value] : parts) {
        if (!value.empty()) {
            target += fmt::format("{}={}&", name, client::percent_encoded(value));
        }
    }
    return target;
}

void add_limit(CLI::App& app, std::uint64_t& limit) {
    app.add_option("--limit", limit, "at most this many")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
}

Outcome<> print_list(const Listing& list, Table table,
                     const std::function<std::vector<std::string>(const wire::Json&)>& cells_of,
                     Context& context) {
    Service service(context.socket);
    wire::Json all = wire::Json::array();
    const auto rest =
        each_of_pages(service, list.target, list.member, list.limit, [&](const wire::Json& item) {
            if (context.json) {
                all.push_back(item);
            } else {
                table.add(cells_of(item));
            }
        });
    if (!rest) {
        return std::unexpected(rest.error());
    }
    const auto told = report({{list.member, std::move(all)}, {"next", or_null(*rest)}},
                             table.text(context.console, list.if_empty), context);
    if (!context.json && !rest->empty() && !list.more.empty()) {
        context.console.note(
            fmt::format("There are more: --limit {}{}", list.limit * 10, list.more));
    }
    return told;
}

}  // namespace smsrack::cli
