/// Writes one page of a list; all lists of the API use it.
#pragma once

#include "src/api/text.hpp"
#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {

/// A page of a list ends with the row that reaches this, whatever `limit` allows.
inline constexpr std::size_t page_bytes_max = 512UL * 1024;

/// Most rows of a page whose rows have their texts.
inline constexpr std::size_t full_rows_max = 200;

/// `rows` has one row more than `limit` if there is a next page. `append` writes the members of a
/// row, `cursor` gives the cursor after it. The page ends early if it reaches page_bytes_max. `rest`:
/// the cursor after all the rows, where something follows them all the same.
template <typename Row, typename Append, typename Cursor>
[[nodiscard]] Result<std::string> page_text(std::string_view name, Result<std::vector<Row>> rows,
                                            std::size_t limit, Append append, Cursor cursor,
                                            std::string rest = {}) {
    if (!rows) {
        return std::unexpected(std::move(rows.error()));
    }
    const std::size_t wanted = std::min(rows->size(), limit);
    std::size_t written = 0;
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.key(name);
    json.begin_array();
    while (written < wanted && body.size() < page_bytes_max) {
        json.object([&] { append(json, (*rows)[written++]); });
    }
    json.end_array();
    const bool more = written > 0 && written < rows->size();
    member_or_null(json, "next", more ? cursor((*rows)[written - 1]) : rest);
    json.end_object();
    return body;
}

/// The same of a step of a search for messages, sent or received.
template <typename Row, typename RowId, typename Append>
[[nodiscard]] Result<std::string> found_text(Result<ports::Found<Row, RowId>> found,
                                             Append append) {
    if (!found) {
        return std::unexpected(std::move(found.error()));
    }
    const std::size_t limit = found->rows.size();
    return page_text(
        "messages", Result<std::vector<Row>>(std::move(found->rows)), limit, append,
        [](const Row& row) { return id_text(row.id); },
        found->next == RowId{} ? std::string() : id_text(found->next));
}

/// The same for messages, sent or received.
template <typename Row, typename Append>
[[nodiscard]] Result<std::string> page_text(Result<std::vector<Row>> rows, std::size_t limit,
                                            Append append) {
    return page_text("messages", std::move(rows), limit, append,
                     [](const Row& row) { return id_text(row.id); });
}

}  // namespace smsrack::api
