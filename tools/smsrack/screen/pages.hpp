/// Reads a list of the API page by page, and prints it.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/screen/table.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace smsrack::cli {

/// Calls `item` for each of the first `limit` entries of the array `member` of GET `target`, which
/// has a "?" already. Returns the cursor of what is left, empty where nothing is.
[[nodiscard]] Outcome<std::string> each_of_pages(
    Service& service, const std::string& target, const char* member, std::uint64_t limit,
    const std::function<void(const wire::Json&)>& item);

/// "/v1/messages?state=failed&", for each_of_pages(): those of `parts` that are not empty.
[[nodiscard]] std::string query(std::string_view path,
                                std::initializer_list<std::pair<const char*, std::string>> parts);

/// The option --limit of a command that prints a list.
void add_limit(CLI::App& app, std::uint64_t& limit);

struct Listing {
    std::string target = {};  ///< as each_of_pages() takes it
    const char* member = "";
    std::uint64_t limit = 0;
    std::string_view if_empty = {};  ///< the sentence then
    /// Behind "There are more: --limit 1000"; empty: the list does not say so.
    std::string_view more = " shows them.";
};

/// Prints the list: `table` with the cells of each entry, or for programs the entries as they are.
[[nodiscard]] Outcome<> print_list(
    const Listing& list, Table table,
    const std::function<std::vector<std::string>(const wire::Json&)>& cells_of, Context& context);

}  // namespace smsrack::cli
