/// Reads a whole TOML document into a struct by its declared `tables`: [name] into a struct, or into
/// an optional one that is nullopt without it; each [[name]] into a vector of structs.
#pragma once

#include "src/config/problem.hpp"
#include "src/config/table_reader.hpp"
#include "src/config/toml.hpp"

#include <expected>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace smsrack::config {

class DocumentReader {
public:
    /// Both outlive the reader.
    DocumentReader(const TomlTable& document, ProblemList& problems)
        : document_(document), problems_(problems) {}

    /// Sets what the document has.
    template <typename Document>
    void read(Document& out) {
        const auto read_one = [&](const auto& table) {
            if (const TomlEntry* entry = document_.find(table.name)) {
                read_table(*entry, out.*(table.member), out);
            }
        };
        std::apply([&](const auto&... tables) { (read_one(tables), ...); }, Document::tables);
    }

private:
    template <typename Section, typename Document>
    void read_table(const TomlEntry& entry, Section& section, const Document& /*document*/) {
        const auto* table = std::get_if<TomlTable>(&entry.value.content);
        if (table == nullptr) {
            problems_.expected(entry.value, entry.key, fmt::format("a table [{}]", entry.key));
            return;
        }
        if constexpr (requires { section.source_line; }) {
            section.source_line = entry.line;
        }
        TableReader reader(*table, entry.line, entry.key, problems_);
        reader.read(section);
        reader.refuse_others<Section>();
    }

    template <typename Section, typename Document>
    void read_table(const TomlEntry& entry, std::optional<Section>& section,
                    const Document& document) {
        read_table(entry, section.emplace(), document);
    }

    template <typename Item, typename Document>
    void read_table(const TomlEntry& entry, std::vector<Item>& items, const Document& document) {
        const auto* tables = std::get_if<TomlArray>(&entry.value.content);
        if (tables == nullptr) {
            problems_.expected(entry.value, entry.key, fmt::format("tables [[{}]]", entry.key));
            return;
        }
        for (const TomlValue& value : *tables) {
            if (const auto* table = std::get_if<TomlTable>(&value.content)) {
                Item& item = items.emplace_back();
                item.source_line = value.line;
                TableReader reader(*table, value.line, entry.key, problems_);
                read_item(reader, item, document);
            } else {
                problems_.expected(value, entry.key, fmt::format("a table [[{}]]", entry.key));
            }
        }
    }

    template <typename Item, typename Document>
    static void read_item(TableReader& reader, Item& item, const Document& document) {
        reader.read(item);
        if constexpr (requires { item.line = document.defaults; }) {  // its own over [defaults]
            item.line = document.defaults;
            reader.read(item.line);
            reader.refuse_others<Item, decltype(item.line)>();
        } else {
            reader.refuse_others<Item>();
        }
    }

    const TomlTable& document_;
    ProblemList& problems_;
};

/// The names of all tables of a document.
template <typename Document>
[[nodiscard]] std::vector<std::string_view> table_names() {
    return std::apply(
        [](const auto&... tables) { return std::vector<std::string_view>{tables.name...}; },
        Document::tables);
}

/// What `read(document, problems)` makes of the TOML `text`; nothing where there is a problem.
/// `file` is the name for messages.
template <typename Read>
[[nodiscard]] auto load_document(std::string_view text, const std::string& file, Read read)
    -> std::expected<std::invoke_result_t<Read&, const TomlTable&, ProblemList&>, ConfigError> {
    const auto document = parse_toml(text);
    if (!document) {
        const TomlFault& fault = document.error();
        return std::unexpected(ConfigError{
            .file = file, .problems = {{.line = fault.line, .message = fault.message}}});
    }
    ProblemList problems;
    auto read_so = read(*document, problems);
    if (problems.size() > 0) {
        return std::unexpected(ConfigError{.file = file, .problems = problems.take()});
    }
    return read_so;
}

}  // namespace smsrack::config
