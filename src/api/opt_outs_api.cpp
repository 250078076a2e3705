#include "src/api/calls.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/wire/json_members.hpp"

#include <utility>

namespace smsrack::api {
namespace {

void append_row(wire::JsonWriter& json, const ports::OptOutRow& row) {
    json.member("number", row.number);
    json.member("since", time_text(row.at));
    member_or_null(json, "inbox", row.inbox);
}

/// {"number":"..."}
Result<std::string> number_of(const Call& call) {
    const auto number = wire::read_into(
        std::string(), call.request.body,
        [](std::string& said, std::string_view name, wire::JsonScalar& value) -> Result<> {
            auto* const text = std::get_if<std::string>(&value);
            if (name != "number" || text == nullptr) {
                return fail(Errc::bad_request, R"(the body is {"number":"..."})");
            }
            said = std::move(*text);
            return {};
        });
    return number ? normalised_number(*number, call.settings.plan) : number;
}

ports::Done<bool> answer_when_kept(const Call& call, const std::string& number, bool opted_out) {
    return answer_of_rule<bool>(call, [number, opted_out](wire::JsonWriter& json, bool changed) {
        json.member("number", number);
        json.member("opted_out", opted_out);
        json.member("changed", changed);
    });
}

}  // namespace

void list_opt_outs(Call call) {
    const auto page = page_params(call.request, {"limit", "cursor"}, CursorKind::name);
    if (!page) {
        return answer_problem(call, page.error());
    }
    answer_from_store(call, [page = *page](ports::StoreReader& reader) {
        return page_text("optouts", reader.opt_outs(page.after_name, page.limit + 1), {page.limit},
                         append_row, [](const ports::OptOutRow& last) { return last.number; });
    });
}

void post_opt_out(Call call) {
    const auto number = number_of(call);
    if (!number) {
        return answer_problem(call, number.error());
    }
    call.parts.control.post(ports::OptOut{.number = *number, .at = call.parts.clock.wall()},
                            answer_when_kept(call, *number, true));
}

void delete_opt_out(Call call) {
    const auto number = normalised_number(call.argument, call.settings.plan);
    if (!number) {
        return answer_problem(call, number.error());
    }
    call.parts.control.post(ports::OptIn{.number = *number},
                            answer_when_kept(call, *number, false));
}

}  // namespace smsrack::api
