#include "src/api/calls.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/base/time_text.hpp"

namespace smsrack::api {
namespace {

void append_audit_row(wire::JsonWriter& json, const ports::AuditRow& row) {
    json.member("id", id_text(row.id));
    json.member("at", time_text(row.at));
    json.member("caller", valid_text(row.caller));
    json.member("call", valid_text(row.call));
    json.member("status", row.status);
}

}  // namespace

void list_audit(Call call) {
    const auto page = page_params(call.request, {"since", "limit", "cursor"});
    if (!page) {
        return answer_problem(call, page.error());
    }
    call.parts.audit.ask(
        [page = *page](ports::AuditReader& reader) {
            return page_text("audit",
                             reader.audit({.since = page.since,
                                           .before = ports::AuditId{page.after_id},
                                           .limit = page.limit + 1}),
                             {page.limit}, append_audit_row,
                             [](const ports::AuditRow& last) { return id_text(last.id); });
        },
        answer_on_loop<std::string>(call, [](std::string& body) { return std::move(body); }));
}

}  // namespace smsrack::api
