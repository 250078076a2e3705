#include "src/api/calls.hpp"
#include "src/api/message_json.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"

namespace smsrack::api {

void list_inbox(Call call) {
    const auto page = page_params(call.request, {"since", "limit", "cursor"});
    if (!page) {
        return answer_problem(call, page.error());
    }
    answer_from_store(call, [page = *page](ports::StoreReader& reader) {
        return page_text(reader.inbox({.since = page.since,
                                       .after = InboxId{page.after_id},
                                       .limit = page.limit + 1,
                                       .bytes_max = page_bytes_max}),
                         page.limit, append_inbox_row);
    });
}

}  // namespace smsrack::api
