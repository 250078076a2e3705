#include "src/api/inbox_api.hpp"

#include "src/api/message_json.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"

#include <string>
#include <utility>

namespace smsrack::api {
namespace {

Result<ports::InboxFilter> filter_of(const wire::HttpRequest& request) {
    if (auto known = check_params(request, {"since", "limit", "cursor"}); !known) {
        return std::unexpected(std::move(known.error()));
    }
    const auto limit = limit_param(request);
    if (!limit) {
        return std::unexpected(limit.error());
    }
    const auto since = since_param(request);
    if (!since) {
        return std::unexpected(since.error());
    }
    const auto cursor = cursor_param(request);
    if (!cursor) {
        return std::unexpected(cursor.error());
    }
    return ports::InboxFilter{
        .since = *since, .after = InboxId{*cursor}, .limit = *limit, .bytes_max = page_bytes_max};
}

Result<std::string> inbox_page(ports::StoreReader& reader, ports::InboxFilter filter) {
    const std::size_t limit = filter.limit++;
    return page_text(reader.inbox(filter), limit, append_inbox_row);
}

}  // namespace

void list_inbox(Call call) {
    const auto filter = filter_of(call.request);
    if (!filter) {
        answer_problem(call, filter.error());
        return;
    }
    answer_from_store(call, [filter = *filter](ports::StoreReader& reader) {
        return inbox_page(reader, filter);
    });
}

}  // namespace smsrack::api
