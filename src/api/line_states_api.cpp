#include "src/api/calls.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/api/rack_json.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace smsrack::api {
namespace {

void append_state(wire::JsonWriter& json, const ports::LineState& row) {
    json.member("id", id_text(row.seq));
    json.member("at", time_text(row.at));
    json.member("state", valid_text(row.state));
}

Result<std::string> states_text(ports::RackReader& reader, const ports::LineStatesFilter& filter) {
    auto found = reader.line_states(filter);
    if (!found) {
        return std::unexpected(std::move(found.error()));
    }
    const std::size_t limit = found->rows.size();
    return page_text(
        "states", Result<std::vector<ports::LineState>>(std::move(found->rows)), {limit},
        append_state, [](const ports::LineState& row) { return id_text(row.seq); },
        found->next == EventSeq{} ? std::string() : id_text(found->next));
}

}  // namespace

void list_line_states(Call call) {
    const auto page = page_params(call.request, {"since", "from", "until", "limit", "cursor"});
    if (!page) {
        return answer_problem(call, page.error());
    }
    const auto lines = call.parts.rack.lines();
    if (std::ranges::find(lines, call.argument, &ports::LineView::name) == lines.end()) {
        return answer_problem(call, no_such_modem(call));
    }
    call.parts.rack_store.ask(
        [filter = ports::LineStatesFilter{.line = call.argument,
                                          .since = page->since,
                                          .until = page->until,
                                          .before = EventSeq{page->after_id},
                                          .limit = page->limit}](ports::RackReader& reader) {
            return states_text(reader, filter);
        },
        answer_on_loop<std::string>(call, [](std::string& body) { return std::move(body); }));
}

}  // namespace smsrack::api
