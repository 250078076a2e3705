#include "tools/smsrack/screen/json_table.hpp"

#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace smsrack::cli {
namespace {

constexpr std::size_t named_max = 100;  // members that a caller names

bool is_shown(const wire::Json& value) {
    return !value.is_null() && !value.is_structured();
}

std::string shown(const wire::Json& object, const std::string& member, const TimeStyle& times) {
    const std::string text = text_of(object, member);
    if (const auto number = number_of(object, member);
        number && text.find_first_of(".e") != std::string::npos) {
        return fmt::format("{:.4f}", *number);
    }
    return member == "at" || member.ends_with("_at") || member == "scts" ? times.to_seconds(text)
                                                                         : text;
}

/// Those of `first` that are in `names`, in that order, then the others.
std::vector<std::string> in_order(std::set<std::string, std::less<>> names,
                                  std::span<const std::string_view> first) {
    std::vector<std::string> ordered;
    for (const std::string_view name : first) {
        if (const auto found = names.find(name); found != names.end()) {
            ordered.push_back(*found);
            names.erase(found);
        }
    }
    ordered.insert(ordered.end(), names.begin(), names.end());
    return ordered;
}

void add_names(const wire::Json& object, std::set<std::string, std::less<>>& names) {
    for (const auto& [name, value] : object.items()) {
        if (is_shown(value)) {
            names.insert(name);
        }
    }
}

std::string heading_of(std::string name) {
    std::ranges::replace(name, '_', ' ');
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    });
    return name;
}

}  // namespace

std::vector<Pair> pairs_of(const wire::Json& object, std::span<const std::string_view> first,
                           const TimeStyle& times) {
    std::set<std::string, std::less<>> names;
    add_names(object, names);
    std::vector<Pair> pairs;
    for (const std::string& name : in_order(std::move(names), first)) {
        pairs.push_back({.name = name, .value = shown(object, name, times)});
    }
    return pairs;
}

Table table_of(const wire::Json& array, std::span<const std::string_view> first,
               const TimeStyle& times) {
    std::set<std::string, std::less<>> names;
    for (const wire::Json& object : array) {
        add_names(object, names);
    }
    const auto ordered = in_order(std::move(names), first);
    std::vector<Column> columns;
    for (std::size_t place = 0; place < ordered.size(); ++place) {
        const std::string& name = ordered[place];
        const bool is_text = name == "cause" || name == "detail" || name == "text";
        const bool is_named = std::ranges::find(first, name) != first.end();
        columns.push_back(
            {.heading = heading_of(name),
             .spare = static_cast<std::uint8_t>(is_text ? 0 : place + (is_named ? 0 : named_max)),
             .fit = is_text ? Fit::wraps : Fit::whole});
    }
    Table table(std::move(columns));
    for (const wire::Json& object : array) {
        std::vector<std::string> cells;
        for (const std::string& name : ordered) {
            cells.push_back(shown(object, name, times));
        }
        table.add(std::move(cells));
    }
    return table;
}

}  // namespace smsrack::cli
