/// Writes one page of a list; all lists of the API use it.
#pragma once

#include "src/api/page_size.hpp"
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

/// Most rows of a page whose rows have their texts.
inline constexpr std::size_t full_rows_max = 200;

/// Octets of a page that are not its rows.
inline constexpr std::size_t page_frame_octets = 128;

/// `rows` has one row more than `size` allows if there is a next page. `append` writes the members of a
/// row, `cursor` gives the cursor after it. `rest`: the cursor after all the rows, where something
/// follows them all the same.
template <typename Row, typename Append, typename Cursor>
[[nodiscard]] Result<std::string> page_text(std::string_view name, Result<std::vector<Row>> rows,
                                            const PageSize& size, Append append, Cursor cursor,
                                            std::string rest = {}) {
    if (!rows) {
        return std::unexpected(std::move(rows.error()));
    }
    const std::size_t wanted = std::min(rows->size(), size.rows);
    std::size_t written = 0;
    std::size_t octets = page_frame_octets;
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.key(name);
    json.begin_array();
    for (; written < wanted; ++written) {
        const std::size_t before = body.size();
        json.object([&] { append(json, (*rows)[written]); });
        octets += size.bound.octets_of(std::string_view(body).substr(before));
        if (written > 0 && octets > size.bound.octets_max) {
            body.resize(before);
            break;
        }
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
                                             const PageBound& bound, Append append) {
    if (!found) {
        return std::unexpected(std::move(found.error()));
    }
    const PageSize size{found->rows.size(), bound};
    return page_text(
        "messages", Result<std::vector<Row>>(std::move(found->rows)), size, append,
        [](const Row& row) { return id_text(row.id); },
        found->next == RowId{} ? std::string() : id_text(found->next));
}

/// The same for messages, sent or received.
template <typename Row, typename Append>
[[nodiscard]] Result<std::string> page_text(Result<std::vector<Row>> rows, const PageSize& size,
                                            Append append) {
    return page_text("messages", std::move(rows), size, append,
                     [](const Row& row) { return id_text(row.id); });
}

}  // namespace smsrack::api
