#include "src/api/calls.hpp"
#include "src/api/message_json.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/api/search.hpp"

#include <utility>

namespace smsrack::api {

void list_inbox(Call call) {
    const auto page = page_params(
        call.request, {"q", "contains", "text", "since", "from", "until", "limit", "cursor"});
    if (!page) {
        return answer_problem(call, page.error());
    }
    auto wanted = search_of(call);
    if (!wanted) {
        return answer_problem(call, wanted.error());
    }
    if (auto with_text = flag_param(call.request, "text"); !with_text) {
        return answer_problem(call, with_text.error());
    }
    answer_from_store(
        call,
        [page = *page, bound = call.page_bound,
         wanted = std::move(*wanted)](ports::StoreReader& reader) -> Result<std::string> {
            ports::InboxFilter filter{.since = page.since,
                                      .until = page.until,
                                      .after = InboxId{page.after_id},
                                      .limit = page.limit,
                                      .bytes_max = page_octets_max};
            if (wanted) {
                return found_text(reader.find_inbox(filter, *wanted), bound, append_inbox_row);
            }
            ++filter.limit;
            return page_text(reader.inbox(filter), {page.limit, bound}, append_inbox_row);
        });
}

void get_inbox_row(Call call) {
    const auto id = id_of(call);
    if (!id) {
        return answer_problem(call, id.error());
    }
    answer_from_store(
        call, [id = InboxId{id->value}](ports::StoreReader& reader) -> Result<std::string> {
            const auto row = reader.inbox_row(id);
            if (!row) {
                return std::unexpected(row.error());
            }
            return wire::json_object([&](wire::JsonWriter& json) { append_inbox_row(json, *row); });
        });
}

}  // namespace smsrack::api
